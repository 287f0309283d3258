using System.Xml;
using PublicDocumentation;

if (args is not [var assembly, var documentation])
{
    Console.Error.WriteLine("Usage: PublicDocumentation ASSEMBLY DOCUMENTATION-FILE");
    return 1;
}

try
{
    DocumentationFile.Keep(documentation, VisibleMembers.Of(assembly));
    return 0;
}
catch (Exception problem) when (problem is IOException or UnauthorizedAccessException or XmlException or BadImageFormatException)
{
    Console.Error.WriteLine($"{documentation}: error : {problem.Message}");
    return 1;
}
