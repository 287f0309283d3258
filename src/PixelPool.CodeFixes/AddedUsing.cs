using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using PixelPool.Analyzers.Library;

namespace PixelPool.CodeFixes;

/// <summary>The repair of one PXP001.</summary>
internal static class AddedUsing
{
    public const string Title = "Add 'using'";

    /// <summary>The call that a report is about.</summary>
    public static ExpressionSyntax? CreationAt(SyntaxNode root, Diagnostic diagnostic) =>
        root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true).FirstAncestorOrSelf<ExpressionSyntax>();

    /// <summary>What is around a call, and what it becomes; null where somebody has to think, and before C# 8, which has no declarations with <c>using</c>.</summary>
    public static (SyntaxNode Before, SyntaxNode After)? For(ExpressionSyntax creation, SemanticModel model) =>
        creation.SyntaxTree.Options is CSharpParseOptions { LanguageVersion: >= LanguageVersion.CSharp8 } && LibraryTypes.Find(model.Compilation) is { } types
            ? new UsingDeclaration(model, types).For(creation) ?? new UsingBlock(model).For(creation)
            : null;
}
