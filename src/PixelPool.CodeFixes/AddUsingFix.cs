using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using PixelPool.Analyzers;

namespace PixelPool.CodeFixes;

/// <summary>
/// PXP001: writes <c>using</c> before a declaration, in place of a discard, or around what follows a condition. Where the variable is disposed on some paths already, somebody has
/// to think.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp)]
[Shared]
internal sealed class AddUsingFix : CodeFixProvider
{
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create(Rules.NotDisposed.Id);

    public override FixAllProvider GetFixAllProvider() => new AddUsingEverywhere();

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode root = (await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false))!;
        SemanticModel model = (await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false))!;
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            if (AddedUsing.CreationAt(root, diagnostic) is { } creation && AddedUsing.For(creation, model) is var (before, after))
            {
                context.RegisterCodeFix(
                    CodeAction.Create(AddedUsing.Title, _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(before, after))), AddedUsing.Title), diagnostic);
            }
        }
    }
}
