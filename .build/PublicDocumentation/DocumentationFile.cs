using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace PublicDocumentation;

/// <summary>The documentation file that the compiler wrote beside an assembly.</summary>
internal static class DocumentationFile
{
    /// <summary>Removes the entries of all members but these. The file is replaced as a whole: it may be read meanwhile.</summary>
    public static void Keep(string path, IReadOnlySet<string> memberIds)
    {
        XDocument file = XDocument.Load(path, LoadOptions.PreserveWhitespace);
        XElement[] members = [.. file.Descendants("member").Where(member => !memberIds.Contains((string)member.Attribute("name")!))];
        if (members.Length == 0)
        {
            return;
        }

        foreach (XElement member in members)
        {
            (member.PreviousNode as XText)?.Remove(); // the line break and the indentation
            member.Remove();
        }

        Replace(path, file);
    }

    private static void Replace(string path, XDocument file)
    {
        string unfinished = path + ".unfinished";
        var settings = new XmlWriterSettings { Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), NewLineHandling = NewLineHandling.None };
        using (var writer = XmlWriter.Create(unfinished, settings))
        {
            file.Save(writer);
        }

        File.Move(unfinished, path, overwrite: true);
    }
}
