using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PixelPool.Analyzers.Tests;

/// <summary>Each rule has a page; in its examples the rules report what a comment names, in that line, and nothing else.</summary>
public sealed partial class RulePageTests
{
    internal static readonly DiagnosticAnalyzer[] Analyzers =
    [
        new NotDisposedAnalyzer(), new UsedAfterDisposeAnalyzer(), new DisposedTwiceAnalyzer(), new EscapingSpanAnalyzer(),
        new EscapingPointerAnalyzer(), new CapturingDelegateAnalyzer(), new SynchronousRentAnalyzer(),
        new HandedOutAnalyzer(), new UndisposedFieldAnalyzer(), new DroppedNativePixelsAnalyzer(),
    ];

    public static TheoryData<string> Rules => [.. Analyzers.SelectMany(static analyzer => analyzer.SupportedDiagnostics).Select(static rule => rule.Id)];

    [Theory]
    [MemberData(nameof(Rules))]
    public async Task Examples_are_reported_as_the_page_says(string rule)
    {
        string[] examples = Examples(Page(rule));
        Assert.Contains(examples, example => example.Contains($"// {rule}", StringComparison.Ordinal));
        Assert.Contains(examples, example => !example.Contains($"// {rule}", StringComparison.Ordinal));
        foreach (string example in examples)
        {
            string file = Compiling.File(example);
            ImmutableArray<Diagnostic> found = await Compiling.AnalyzeAsync(file, RulesBeside(rule));
            IEnumerable<(int, string)> expected = file.Split('\n').SelectMany(static (line, number) => Mark().Matches(line).Select(mark => (number, mark.Groups[1].Value)));
            Assert.Equal(expected, found.Select(static one => (one.Location.GetLineSpan().StartLinePosition.Line, one.Id)));
        }
    }

    [Theory]
    [MemberData(nameof(Rules))]
    public void Page_says_what_a_reader_wants_to_know(string rule)
    {
        string page = Page(rule);
        Assert.StartsWith($"# {rule}: ", page, StringComparison.Ordinal);
        Assert.All(
            ["## How to fix it", "## What it does not report", "## How to turn it off", $"dotnet_diagnostic.{rule}.severity"],
            part => Assert.Contains(part, page, StringComparison.Ordinal));
        Assert.Contains($"]({rule}.md)", Page("README"), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Rules))]
    public void Help_leads_to_the_page(string rule)
    {
        DiagnosticDescriptor descriptor = Analyzers.SelectMany(static analyzer => analyzer.SupportedDiagnostics).Single(one => one.Id == rule);
        Assert.Matches($"^https://.+/blob/[^/]+/docs/rules/{rule}\\.md$", descriptor.HelpLinkUri);
        Assert.True(File.Exists(Path.Combine(Folder(), rule + ".md")));
    }

    // Suggestions would be everywhere in the examples of other rules.
    private static DiagnosticAnalyzer[] RulesBeside(string rule) =>
        [.. Analyzers.Where(analyzer => analyzer.SupportedDiagnostics.All(one => one.Id == rule || one.DefaultSeverity == DiagnosticSeverity.Warning))];

    private static string[] Examples(string page) => [.. Example().Matches(page).Select(static example => example.Groups[1].Value)];

    private static string Page(string name) => File.ReadAllText(Path.Combine(Folder(), name + ".md"));

    private static string Folder([CallerFilePath] string thisFile = "") => Path.Combine(Path.GetDirectoryName(thisFile)!, "../../docs/rules");

    [GeneratedRegex(@"^```csharp\n(.*?)^```$", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Example();

    [GeneratedRegex("// (PXP[0-9]+)")]
    private static partial Regex Mark();
}
