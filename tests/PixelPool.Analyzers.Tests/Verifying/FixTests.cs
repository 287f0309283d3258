using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PixelPool.Analyzers.Tests.Verifying;

/// <summary>The tests of a code fix: it is applied to the first report until it offers nothing more, and what comes out compiles. "Fix all" writes the same.</summary>
public abstract class FixTests
{
    private readonly DiagnosticAnalyzer _analyzer;
    private readonly CodeFixProvider _fix;

    private protected FixTests(DiagnosticAnalyzer analyzer, CodeFixProvider fix) => (_analyzer, _fix) = (analyzer, fix);

    /// <param name="members">What is in the class.</param>
    /// <param name="expected">What is in it after the repair.</param>
    /// <param name="types">What is beside it.</param>
    /// <param name="languageVersion">What the compiler accepts.</param>
    private protected Task Fixes(string members, string expected, string types = "", LanguageVersion languageVersion = LanguageVersion.Preview) =>
        FixesFile(Compiling.File(members) + types, Compiling.File(expected) + types, languageVersion);

    private protected Task OffersNothing(string members, string types = "", LanguageVersion languageVersion = LanguageVersion.Preview) => Fixes(members, members, types, languageVersion);

    private protected async Task FixesFile(string original, string expected, LanguageVersion languageVersion = LanguageVersion.Preview)
    {
        CSharpParseOptions parsing = Compiling.Parsing.WithLanguageVersion(languageVersion);
        string text = original;
        string? equivalence = null;
        while (await FixFirst(text, parsing) is ({ } action, var document))
        {
            text = await After(action, document);
            equivalence = action.EquivalenceKey;
        }

        Assert.Equal(expected, text);
        await Compiling.AnalyzeAsync(text, _analyzer);
        Compiling.Emit(text);
        if (equivalence is not null)
        {
            Assert.Equal(text, await FixAll(original, parsing, equivalence));
        }
    }

    private async Task<(CodeAction? Action, Document Document)> FixFirst(string text, CSharpParseOptions parsing)
    {
        Document document = DocumentOf(text, parsing);
        foreach (Diagnostic found in await Compiling.AnalyzeAsync(text, _analyzer))
        {
            CodeAction? offered = null;
            await _fix.RegisterCodeFixesAsync(new CodeFixContext(document, found, (action, _) => offered ??= action, CancellationToken.None));
            if (offered is not null)
            {
                return (offered, document);
            }
        }

        return (null, document);
    }

    private async Task<string> FixAll(string text, CSharpParseOptions parsing, string equivalence)
    {
        Document document = DocumentOf(text, parsing);
        var context = new FixAllContext(document, _fix, FixAllScope.Document, equivalence, _fix.FixableDiagnosticIds, new ReportsOf(_analyzer), CancellationToken.None);
        CodeAction action = (await _fix.GetFixAllProvider()!.GetFixAsync(context))!;
        return await After(action, document);
    }

    private static async Task<string> After(CodeAction action, Document document)
    {
        ApplyChangesOperation changes = Assert.IsType<ApplyChangesOperation>(Assert.Single(await action.GetOperationsAsync(CancellationToken.None)));
        return (await changes.ChangedSolution.GetDocument(document.Id)!.GetTextAsync()).ToString();
    }

    private static Document DocumentOf(string text, CSharpParseOptions parsing) => new AdhocWorkspace().CurrentSolution
        .AddProject("Sample", "Sample", LanguageNames.CSharp)
        .WithParseOptions(parsing)
        .WithCompilationOptions(Compiling.OptionsFor(text))
        .WithMetadataReferences([.. Compiling.Platform, Compiling.Library])
        .AddDocument("Sample.cs", text);
}
