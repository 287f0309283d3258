using System.Xml.Linq;

namespace Release.Tests;

/// <summary><c>docs/versions.md</c> says of the packages what their projects say.</summary>
public sealed class VersionsPageTests
{
    private static readonly MarkdownPage s_page = new("docs/versions.md");

    public static TheoryData<string> Packages => [.. Projects().Keys.Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Packages))]
    public void Target_frameworks_are_those_of_the_project(string package)
    {
        string frameworks = Projects()[package].Descendants("TargetFrameworks").Single().Value;
        Assert.True(s_page.HasRow($"`{package}`", string.Join(", ", frameworks.Split(';'))), $"{package} has {frameworks}, the page says something else.");
    }

    private static Dictionary<string, XDocument> Projects() =>
        Directory.EnumerateFiles(Path.Combine(MarkdownPage.Root(), "src"), "*.csproj", SearchOption.AllDirectories)
            .Select(static file => XDocument.Load(file))
            .Where(static project => project.Descendants("PackageId").Any())
            .ToDictionary(static project => project.Descendants("PackageId").Single().Value);
}
