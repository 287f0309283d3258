using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PixelPool.Analyzers.Tests.Verifying;

/// <summary>The tests of a code fix: it is applied to the first report until it offers nothing more, and what comes out compiles.</summary>
public abstract class FixTests
{
    private readonly DiagnosticAnalyzer _analyzer;
    private readonly CodeFixProvider _fix;

    private protected FixTests(DiagnosticAnalyzer analyzer, CodeFixProvider fix) => (_analyzer, _fix) = (analyzer, fix);

    /// <param name="members">What is in the class.</param>
    /// <param name="expected">What is in it after the repair.</param>
    /// <param name="types">What is beside it.</param>
    /// <param name="languageVersion">What the compiler accepts.</param>
    private protected async Task Fixes(string members, string expected, string types = "", LanguageVersion languageVersion = LanguageVersion.Preview)
    {
        string text = Compiling.File(members) + types;
        while (await FixFirst(text, Compiling.Parsing.WithLanguageVersion(languageVersion)) is { } changed)
        {
            text = changed;
        }

        Assert.Equal(Compiling.File(expected) + types, text);
        await Compiling.AnalyzeAsync(text, _analyzer);
        Compiling.Emit(text);
    }

    private protected Task OffersNothing(string members, string types = "", LanguageVersion languageVersion = LanguageVersion.Preview) => Fixes(members, members, types, languageVersion);

    private async Task<string?> FixFirst(string text, CSharpParseOptions parsing)
    {
        foreach (Diagnostic found in await Compiling.AnalyzeAsync(text, _analyzer))
        {
            using var workspace = new AdhocWorkspace();
            Document document = workspace.CurrentSolution
                .AddProject("Sample", "Sample", LanguageNames.CSharp)
                .WithParseOptions(parsing)
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
