using System.Text.RegularExpressions;

namespace PixelPool.Tests.Documentation;

/// <summary>The links of the pages lead somewhere.</summary>
public sealed partial class LinkTests
{
    [Theory]
    [MemberData(nameof(Pages))]
    public void Every_link_leads_to_a_file_and_a_heading(string page)
    {
        string root = MarkdownPage.Root();
        string folder = Path.GetDirectoryName(page)!;
        foreach (string link in Links(page).Where(static link => !link.Contains("://", StringComparison.Ordinal)))
        {
            string[] parts = link.Split('#', 2);
            string target = parts[0].Length == 0 ? page : Path.GetRelativePath(root, Path.Combine(root, folder, parts[0]));
            Assert.True(Path.Exists(Path.Combine(root, target)), $"{page} leads to {link}, which does not exist.");
            if (parts.Length == 2)
            {
                Assert.True(Anchors(target).Contains(parts[1]), $"{page} leads to {link}, but {target} has no such heading.");
            }
        }
    }

    /// <summary>A feed shows the page of a package without the repository around it.</summary>
    [Theory]
    [MemberData(nameof(PackagePages))]
    public void The_page_of_a_package_links_to_no_file(string page) =>
        Assert.All(Links(page), static link => Assert.Contains("://", link, StringComparison.Ordinal));

    public static TheoryData<string> Pages() => [.. AllPages().Where(static page => !IsOfPackage(page))];

    public static TheoryData<string> PackagePages() => [.. AllPages().Where(IsOfPackage)];

    private static bool IsOfPackage(string page) => Path.GetFileName(page) == "PACKAGE.md";

    private static IEnumerable<string> AllPages()
    {
        string root = MarkdownPage.Root();
        return Directory.EnumerateFiles(root, "*.md")
            .Concat(new[] { "docs", "samples", "benchmarks", "src" }.SelectMany(
                folder => Directory.EnumerateFiles(Path.Combine(root, folder), "*.md", SearchOption.AllDirectories)))
            .Select(file => Path.GetRelativePath(root, file))
            .Where(static page => !Made().IsMatch(page))
            .Order(StringComparer.Ordinal);
    }

    private static IEnumerable<string> Links(string page) => LinkTo().Matches(Text(page)).Select(static link => link.Groups[1].Value);

    // As GitHub makes them of headings.
    private static HashSet<string> Anchors(string page) =>
        [.. Heading().Matches(Text(page)).Select(static heading => NoLetter().Replace(heading.Groups[1].Value.Trim().ToLowerInvariant(), "").Replace(' ', '-'))];

    private static string Text(string page) => CodeBlock().Replace(File.ReadAllText(Path.Combine(MarkdownPage.Root(), page)), "");

    [GeneratedRegex(@"(^|[/\\])(bin|obj|BenchmarkDotNet\.Artifacts)[/\\]")]
    private static partial Regex Made();

    [GeneratedRegex(@"\]\(([^)\s]+)\)")]
    private static partial Regex LinkTo();

    [GeneratedRegex("^#+ (.+)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"[^\p{L}\p{N} _-]")]
    private static partial Regex NoLetter();

    [GeneratedRegex("^```.*?^```", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex CodeBlock();
}
