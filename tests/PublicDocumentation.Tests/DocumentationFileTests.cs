using System.Reflection;
using System.Xml.Linq;

namespace PublicDocumentation.Tests;

/// <summary>Everything in <c>Documented</c> says of itself whether it should be shown to users.</summary>
public sealed class DocumentationFileTests : IDisposable
{
    private static readonly string s_assembly = Assembly.GetExecutingAssembly().Location;

    private readonly string _file = Path.GetTempFileName();

    public DocumentationFileTests() => File.Copy(Path.ChangeExtension(s_assembly, ".xml"), _file, overwrite: true);

    public void Dispose() => File.Delete(_file);

    [Fact]
    public void What_users_can_call_stays_and_the_rest_goes()
    {
        string[] before = [.. Names("shown")];
        Assert.NotEmpty(before);
        Assert.NotEmpty(Names("hidden"));

        DocumentationFile.Keep(_file, VisibleMembers.Of(s_assembly));
        Assert.Equal(before, Names("shown"));
        Assert.Empty(Names("hidden"));
    }

    [Fact]
    public void A_second_time_changes_nothing()
    {
        DocumentationFile.Keep(_file, VisibleMembers.Of(s_assembly));
        byte[] once = File.ReadAllBytes(_file);
        DocumentationFile.Keep(_file, VisibleMembers.Of(s_assembly));
        Assert.Equal(once, File.ReadAllBytes(_file));
    }

    [Fact]
    public void What_stays_is_not_changed()
    {
        XElement[] before = [.. Members()];
        DocumentationFile.Keep(_file, VisibleMembers.Of(s_assembly));
        Assert.All(Members(), after => Assert.Contains(before, member => XNode.DeepEquals(member, after)));
    }

    private IEnumerable<XElement> Members() => XDocument.Load(_file, LoadOptions.PreserveWhitespace).Descendants("member");

    private IEnumerable<string> Names(string summary) => Members()
        .Where(member => member.Element("summary")?.Value == summary)
        .Select(static member => (string)member.Attribute("name")!);
}
