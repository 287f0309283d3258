using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using PixelPool.Analyzers;

namespace PixelPool.CodeFixes;

/// <summary>PXP007: awaits the asynchronous call of the same name.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp)]
[Shared]
internal sealed class AwaitRentFix : CodeFixProvider
{
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create(Rules.SynchronousRent.Id);

    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode root = (await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false))!;
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            if (root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true) is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access } call)
            {
                string title = $"Await '{access.Name.Identifier.Text}Async'";
                context.RegisterCodeFix(
                    CodeAction.Create(title, _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(call, Awaited(call, access)))), nameof(AwaitRentFix)),
                    diagnostic);
            }
        }
    }

    private static ExpressionSyntax Awaited(InvocationExpressionSyntax call, MemberAccessExpressionSyntax access)
    {
        SyntaxToken name = SyntaxFactory.Identifier(access.Name.Identifier.Text + "Async").WithTriviaFrom(access.Name.Identifier);
        InvocationExpressionSyntax asked = call.WithExpression(access.WithName(access.Name.WithIdentifier(name)));
        ExpressionSyntax awaited = SyntaxFactory.AwaitExpression(
            SyntaxFactory.Token(call.GetLeadingTrivia(), SyntaxKind.AwaitKeyword, SyntaxFactory.TriviaList(SyntaxFactory.Space)),
            asked.WithoutLeadingTrivia());
        return call.Parent is MemberAccessExpressionSyntax or ElementAccessExpressionSyntax or ConditionalAccessExpressionSyntax
            ? SyntaxFactory.ParenthesizedExpression(awaited.WithoutTrivia()).WithTriviaFrom(call)
            : awaited;
    }
}
