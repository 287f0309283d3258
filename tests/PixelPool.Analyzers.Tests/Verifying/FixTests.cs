using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PixelPool.Analyzers.Tests.Verifying;

/// <summary>The tests of a code fix: it is applied to the first report until it offers nothing more, and what comes out compiles.</summary>
public abstract class FixTests
{
    private readonly DiagnosticAnalyzer _analyzer;
    private readonly CodeFixProvider _fix;

    private protected FixTests(DiagnosticAnalyzer analyzer, CodeFixProvider fix) => (_analyzer, _fix) = (analyzer, fix);

    private protected async Task Fixes(string members, string expected, string types = "")
    {
        string text = Compiling.File(members) + types;
        while (await FixFirst(text) is { } changed)
        {
            text = changed;
        }

        Assert.Equal(Compiling.File(expected) + types, text);
        await Compiling.AnalyzeAsync(text, _analyzer);
    }

    private protected Task OffersNothing(string members) => Fixes(members, members);

    private async Task<string?> FixFirst(string text)
    {
        foreach (Diagnostic found in await Compiling.AnalyzeAsync(text, _analyzer))
        {
            using var workspace = new AdhocWorkspace();
            Document document = workspace.CurrentSolution
                .AddProject("Sample", "Sample", LanguageNames.CSharp)
                .WithParseOptions(Compiling.Parsing)
                .WithCompilationOptions(Compiling.Options)
                .WithMetadataReferences([.. Compiling.Platform, Compiling.Library])
                .AddDocument("Sample.cs", text);
            CodeAction? offered = null;
            await _fix.RegisterCodeFixesAsync(new CodeFixContext(document, found, (action, _) => offered ??= action, CancellationToken.None));
            if (offered is not null)
            {
                ApplyChangesOperation changes = Assert.IsType<ApplyChangesOperation>(Assert.Single(await offered.GetOperationsAsync(CancellationToken.None)));
                return (await changes.ChangedSolution.GetDocument(document.Id)!.GetTextAsync()).ToString();
            }
        }

        return null;
    }
}
