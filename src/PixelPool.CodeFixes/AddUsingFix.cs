using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using PixelPool.Analyzers;
using PixelPool.Analyzers.Library;

namespace PixelPool.CodeFixes;

/// <summary>
/// PXP001: writes <c>using</c> before a declaration, in place of a discard, or around what follows a condition. Where the variable is disposed on some paths already, somebody has
/// to think.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp)]
[Shared]
internal sealed class AddUsingFix : CodeFixProvider
{
    private const string Title = "Add 'using'";

    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create(Rules.NotDisposed.Id);

    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode root = (await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false))!;
        SemanticModel model = (await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false))!;
        if (root.SyntaxTree.Options is CSharpParseOptions { LanguageVersion: < LanguageVersion.CSharp8 } || LibraryTypes.Find(model.Compilation) is not { } types)
        {
            return; // no declarations with "using" there
        }

        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            if (root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true).FirstAncestorOrSelf<ExpressionSyntax>() is { } creation
                && (new UsingDeclaration(model, types).For(creation) ?? new UsingBlock(model).For(creation)) is var (before, after))
            {
                context.RegisterCodeFix(
                    CodeAction.Create(Title, _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(before, after))), Title), diagnostic);
            }
        }
    }
}
