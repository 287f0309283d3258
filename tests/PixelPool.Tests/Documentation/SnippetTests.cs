using System.Globalization;
using System.Runtime.CompilerServices;

namespace PixelPool.Tests.Documentation;

/// <summary>What the pages show is what <see cref="ReadmeTests"/> runs: to the letter, and in the same order.</summary>
public sealed class SnippetTests
{
    [Theory]
    [InlineData("README.md", "README.md")]
    [InlineData("src/PixelPool/PACKAGE.md", "PACKAGE.md")]
    public void Every_snippet_is_the_body_of_a_test(string page, string region)
    {
        string root = RepositoryRoot();
        List<string> shown = Snippets(File.ReadAllLines(Path.Combine(root, page)), "```csharp", "```");
        List<string> run = Snippets(
            File.ReadAllLines(Path.Combine(root, "tests/PixelPool.Tests/Documentation/ReadmeTests.cs")), "#region " + region, "#endregion");

        Assert.NotEmpty(shown);
        Assert.Equal(run, shown);
    }

    [Fact]
    public void The_readme_fits_on_a_landing_page() =>
        Assert.InRange(new FileInfo(Path.Combine(RepositoryRoot(), "README.md")).Length, 1, 15 * 1024);

    [Fact]
    public void Tables_of_the_readme_are_those_of_the_measured_pages()
    {
        string root = RepositoryRoot();
        string[] lines = File.ReadAllLines(Path.Combine(root, "README.md"));
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

    private static List<string> Snippets(string[] lines, string start, string end)
    {
        var snippets = new List<string>();
        for (int i = 0; i < lines.Length; i++)
        {
            if (lines[i].Trim() == start)
            {
                string[] body = [.. lines.Skip(i + 1).TakeWhile(line => line.Trim() != end)];
                int indent = body.Where(line => line.Length > 0).Min(line => line.Length - line.TrimStart().Length);
                IEnumerable<string> unindented = body
                    .Select(line => line.Length == 0 ? line : line[indent..])
                    .Where(line => line != "using PixelPool;");
                snippets.Add(string.Join('\n', unindented).Trim());
            }
        }

        return snippets;
    }

    private static string RepositoryRoot([CallerFilePath] string thisFile = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(thisFile)!, "../../.."));
}
