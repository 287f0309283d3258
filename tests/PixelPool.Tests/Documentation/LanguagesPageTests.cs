namespace PixelPool.Tests.Documentation;

/// <summary>What <c>docs/languages.md</c> shows is what the test projects in these languages compile and run.</summary>
public sealed class LanguagesPageTests
{
    [Theory]
    [InlineData("fsharp", "tests/Languages.FSharp", "*.fs", "// #region docs/languages.md", "// #endregion")]
    [InlineData("vb", "tests/Languages.VisualBasic", "*.vb", "#Region \"docs/languages.md\"", "#End Region")]
    public void Every_snippet_is_compiled_and_run(string language, string folder, string files, string start, string end)
    {
        List<string> shown = new MarkdownPage("docs/languages.md").Blocks(language);
        IEnumerable<string> run = Directory.EnumerateFiles(Path.Combine(MarkdownPage.Root(), folder), files, SearchOption.TopDirectoryOnly)
            .SelectMany(file => MarkdownPage.Bodies(File.ReadAllLines(file), start, end));

        Assert.NotEmpty(shown);
        Assert.Equal(run.Order(StringComparer.Ordinal), shown.Order(StringComparer.Ordinal));
    }
}
