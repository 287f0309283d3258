using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PixelPool.CodeFixes;

/// <summary>
/// Repairs all PXP001 of a file, one after the other: what one declares has a name that the next must not use, and a <c>using</c> may go around another.
/// </summary>
internal sealed class AddUsingEverywhere : DocumentBasedFixAllProvider
{
    protected override string GetFixAllTitle(FixAllContext fixAllContext) => AddedUsing.Title;

    protected override async Task<Document?> FixAllAsync(FixAllContext fixAllContext, Document document, ImmutableArray<Diagnostic> diagnostics)
    {
        SyntaxNode root = (await document.GetSyntaxRootAsync(fixAllContext.CancellationToken).ConfigureAwait(false))!;
        ExpressionSyntax[] creations = [.. diagnostics
            .OrderBy(static diagnostic => diagnostic.Location.SourceSpan)
            .Select(diagnostic => AddedUsing.CreationAt(root, diagnostic))
            .OfType<ExpressionSyntax>()
            .Distinct()];
        Document changed = document.WithSyntaxRoot(root.TrackNodes(creations));
        foreach (ExpressionSyntax creation in creations)
        {
            root = (await changed.GetSyntaxRootAsync(fixAllContext.CancellationToken).ConfigureAwait(false))!;
            SemanticModel model = (await changed.GetSemanticModelAsync(fixAllContext.CancellationToken).ConfigureAwait(false))!;
            if (root.GetCurrentNode(creation) is { } current && AddedUsing.For(current, model) is var (before, after))
            {
                changed = changed.WithSyntaxRoot(root.ReplaceNode(before, after));
            }
        }

        return changed;
    }
}
