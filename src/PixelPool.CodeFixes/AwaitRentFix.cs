using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers;
using PixelPool.Analyzers.Library;

namespace PixelPool.CodeFixes;

/// <summary>PXP007: awaits the asynchronous call of the same name, and passes it the token in scope if there is exactly one.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp)]
[Shared]
internal sealed class AwaitRentFix : CodeFixProvider
{
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create(Rules.SynchronousRent.Id);

    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode root = (await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false))!;
        SemanticModel model = (await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false))!;
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            if (root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true) is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access } call
                && model.GetOperation(call, context.CancellationToken) is IInvocationOperation operation
                && LibraryTypes.Find(model.Compilation) is { } types
                && BudgetRequest.Of(operation, types) is { Sibling: var sibling })
            {
                context.RegisterCodeFix(
                    CodeAction.Create(
                        $"Await '{sibling.Name}'",
                        _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(call, Awaited(call, access, sibling.Name, TokenFor(operation, sibling, model))))),
                        nameof(AwaitRentFix)),
                    diagnostic);
            }
        }
    }

    private static ExpressionSyntax Awaited(InvocationExpressionSyntax call, MemberAccessExpressionSyntax access, string sibling, ArgumentSyntax? token)
    {
        SyntaxToken name = SyntaxFactory.Identifier(sibling).WithTriviaFrom(access.Name.Identifier);
        InvocationExpressionSyntax asked = call.WithExpression(access.WithName(access.Name.WithIdentifier(name)));
        ExpressionSyntax awaited = SyntaxFactory.AwaitExpression(
            SyntaxFactory.Token(call.GetLeadingTrivia(), SyntaxKind.AwaitKeyword, SyntaxFactory.TriviaList(SyntaxFactory.Space)),
            (token is null ? asked : asked.AddArgumentListArguments(token)).WithoutLeadingTrivia());
        return call.Parent is MemberAccessExpressionSyntax or ElementAccessExpressionSyntax or ConditionalAccessExpressionSyntax
            or PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression }
            ? SyntaxFactory.ParenthesizedExpression(awaited.WithoutTrivia()).WithTriviaFrom(call)
            : awaited;
    }

    // The only token that could be meant, by position where that is the next one.
    private static ArgumentSyntax? TokenFor(IInvocationOperation call, IMethodSymbol sibling, SemanticModel model)
    {
        if (sibling.Parameters.FirstOrDefault(static parameter => IsToken(parameter.Type)) is not { } parameter || TokensAt(call.Syntax, model) is not { Length: 1 } tokens)
        {
            return null;
        }

        ArgumentSyntax argument = SyntaxFactory.Argument(SyntaxFactory.IdentifierName(tokens[0].Name));
        bool isNext = call.Arguments.Count(static given => given.ArgumentKind != ArgumentKind.DefaultValue) == parameter.Ordinal
            && !((InvocationExpressionSyntax)call.Syntax).ArgumentList.Arguments.Any(static given => given.NameColon is not null);
        return isNext ? argument : argument.WithNameColon(SyntaxFactory.NameColon(parameter.Name).WithTrailingTrivia(SyntaxFactory.Space));
    }

    // Those that have a value when the call is reached.
    private static ImmutableArray<ISymbol> TokensAt(SyntaxNode call, SemanticModel model) =>
        model.AnalyzeDataFlow(BeginningWith((ExpressionSyntax)call))?.DefinitelyAssignedOnEntry
            .Where(variable => IsToken(variable is ILocalSymbol local ? local.Type : (variable as IParameterSymbol)?.Type) && IsVisible(variable, call, model))
            .ToImmutableArray() ?? ImmutableArray<ISymbol>.Empty;

    // Where something is called on what the call gives, the compiler tells only of the whole what is assigned before it.
    private static ExpressionSyntax BeginningWith(ExpressionSyntax call)
    {
        ExpressionSyntax whole = call;
        while (whole.Parent is ExpressionSyntax around and (MemberAccessExpressionSyntax or InvocationExpressionSyntax or ConditionalAccessExpressionSyntax or ElementAccessExpressionSyntax
            or ParenthesizedExpressionSyntax or PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression }) && around.SpanStart == whole.SpanStart)
        {
            whole = around;
        }

        return whole;
    }

    // A static delegate or local function cannot name what is outside of it.
    private static bool IsVisible(ISymbol variable, SyntaxNode call, SemanticModel model)
    {
        ISymbol? function = model.GetEnclosingSymbol(call.SpanStart);
        while (function is not null && !SymbolEqualityComparer.Default.Equals(function, variable.ContainingSymbol))
        {
            if (function is IMethodSymbol { IsStatic: true })
            {
                return false;
            }

            function = function.ContainingSymbol;
        }

        return function is not null && model.LookupSymbols(call.SpanStart, name: variable.Name).Contains(variable, SymbolEqualityComparer.Default);
    }

    private static bool IsToken(ITypeSymbol? type) => type is { Name: nameof(CancellationToken), ContainingNamespace: { Name: "Threading", ContainingNamespace.Name: "System" } };
}
