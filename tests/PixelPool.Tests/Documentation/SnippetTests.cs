using System.Globalization;

namespace PixelPool.Tests.Documentation;

/// <summary>What the pages show is what tests run: to the letter. A snippet is a region of a test that has the name of its page.</summary>
public sealed class SnippetTests
{
    [Theory]
    [InlineData("README.md", "README.md")]
    [InlineData("src/PixelPool/PACKAGE.md", "PACKAGE.md")]
    [InlineData("src/PixelPool.Recording/PACKAGE.md", "Recording/PACKAGE.md")]
    [InlineData("src/PixelPool.FixedBlocks/PACKAGE.md", "FixedBlocks/PACKAGE.md")]
    [InlineData("src/PixelPool.ImageSharp/PACKAGE.md", "ImageSharp/PACKAGE.md")]
    [InlineData("src/PixelPool.AspNetCore/PACKAGE.md", "AspNetCore/PACKAGE.md")]
    [InlineData("docs/aspnetcore.md", "docs/aspnetcore.md")]
    [InlineData("docs/memory.md", "docs/memory.md")]
    [InlineData("docs/native.md", "docs/native.md")]
    [InlineData("docs/imagesharp.md", "docs/imagesharp.md")]
    [InlineData("docs/recipes.md", "docs/recipes.md")]
    [InlineData("docs/fixed-blocks.md", "docs/fixed-blocks.md")]
    public void Every_snippet_is_the_body_of_a_test(string page, string region)
    {
        IEnumerable<string> shown = new MarkdownPage(page).Blocks("csharp").Select(static snippet => snippet.Replace("using PixelPool;", "", StringComparison.Ordinal).Trim());
        IEnumerable<string> run = Directory.EnumerateFiles(Path.Combine(MarkdownPage.Root(), "tests"), "*.cs", SearchOption.AllDirectories)
            .SelectMany(file => MarkdownPage.Bodies(File.ReadAllLines(file), "#region " + region, "#endregion"));

        Assert.NotEmpty(shown);
        Assert.Equal(run.Order(StringComparer.Ordinal), shown.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void The_readme_fits_on_a_landing_page() =>
        Assert.InRange(new FileInfo(Path.Combine(MarkdownPage.Root(), "README.md")).Length, 1, 15 * 1024);

    [Theory]
    [InlineData("README.md")]
    [InlineData("docs/figures.md")]
    public void Tables_are_those_of_the_measured_pages(string page)
    {
        string root = MarkdownPage.Root();
        string[] lines = File.ReadAllLines(Path.Combine(root, page));
        int[] places = [.. Enumerable.Range(0, lines.Length).Where(i => lines[i].StartsWith("<!-- table: ", StringComparison.Ordinal))];
        Assert.NotEmpty(places);
        foreach (int place in places)
        {
            string[] mark = lines[place].Split(' ');
            string measured = Table(File.ReadAllLines(Path.Combine(root, mark[2])), int.Parse(mark[3], CultureInfo.InvariantCulture));
            Assert.NotEmpty(measured);
            Assert.Equal(measured, Table(lines[place..], 1));
        }
    }

    private static string Table(IEnumerable<string> lines, int number)
    {
        IEnumerable<string> rest = lines.SkipWhile(static line => !line.StartsWith('|'));
        for (int i = 1; i < number; i++)
        {
            rest = rest.SkipWhile(static line => line.StartsWith('|')).SkipWhile(static line => !line.StartsWith('|'));
        }

        return string.Join('\n', rest.TakeWhile(static line => line.StartsWith('|')));
    }
}
