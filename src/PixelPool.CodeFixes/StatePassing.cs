using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using PixelPool.Analyzers.Library;

namespace PixelPool.CodeFixes;

/// <summary>Rewrites a call whose delegate captures variables into one that passes them: one as it is, several as a tuple.</summary>
internal sealed class StatePassing(SemanticModel model, Captures captures, IMethodSymbol overload)
{
    private static readonly SymbolDisplayFormat s_verbatim = new(
        parameterOptions: SymbolDisplayParameterOptions.IncludeName, miscellaneousOptions: SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers);

    public InvocationExpressionSyntax Rewrite(InvocationExpressionSyntax call, ArgumentSyntax argument, LambdaExpressionSyntax lambda)
    {
        bool single = captures.Variables.Length == 1;
        string state = single ? NameOf(captures.Variables[0]) : FreeName.Like("state", lambda, lambda.Body.SpanStart, model);
        LambdaExpressionSyntax rewritten = single ? lambda : lambda.ReplaceNodes(References(lambda), (reference, _) => MemberOf(state, reference));
        rewritten = WithParameter(rewritten.WithoutLeadingTrivia(), state);
        rewritten = rewritten.WithModifiers(rewritten.Modifiers.Insert(0, StaticKeyword));

        string passed = single ? state : $"({string.Join(", ", captures.Variables.Select(NameOf))})";
        ArgumentSyntax first = SyntaxFactory.Argument(SyntaxFactory.ParseExpression(passed));
        if (argument.NameColon is not null)
        {
            first = Named(first, "state");
        }

        first = first.WithLeadingTrivia(argument.GetLeadingTrivia());
        ArgumentSyntax second = argument.WithLeadingTrivia().WithExpression(rewritten).WithTrailingTrivia(argument.GetTrailingTrivia());
        SyntaxNodeOrTokenList arguments = ForOverload(call, argument).Arguments.GetWithSeparators();
        int place = call.ArgumentList.Arguments.GetWithSeparators().IndexOf(argument);
        arguments = arguments.RemoveAt(place).InsertRange(place, new SyntaxNodeOrToken[] { first, Comma, second });
        return call.WithArgumentList(call.ArgumentList.WithArguments(SyntaxFactory.SeparatedList<ArgumentSyntax>(arguments)));
    }

    // What is passed by position is named where the overload has something else there.
    private ArgumentListSyntax ForOverload(InvocationExpressionSyntax call, ArgumentSyntax process)
    {
        SeparatedSyntaxList<ArgumentSyntax> arguments = call.ArgumentList.Arguments;
        string[] names = [.. ((IMethodSymbol)model.GetSymbolInfo(call).Symbol!).Parameters.Select(static parameter => parameter.Name)];
        IEnumerable<ArgumentSyntax> moved = arguments.Where((argument, place) =>
            place > arguments.IndexOf(process) && argument.NameColon is null && overload.Parameters[place + 1].Name != names[place]);
        return call.ArgumentList.ReplaceNodes(moved, (argument, _) => Named(argument, names[arguments.IndexOf(argument)]));
    }

    private static ArgumentSyntax Named(ArgumentSyntax argument, string name) =>
        argument.WithoutLeadingTrivia().WithNameColon(SyntaxFactory.NameColon(name).WithTrailingTrivia(SyntaxFactory.Space)).WithLeadingTrivia(argument.GetLeadingTrivia());

    private static SyntaxToken StaticKeyword => SyntaxFactory.Token(SyntaxKind.StaticKeyword).WithTrailingTrivia(SyntaxFactory.Space);

    private IEnumerable<IdentifierNameSyntax> References(LambdaExpressionSyntax lambda) =>
        lambda.Body.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Where(name =>
            model.GetSymbolInfo(name).Symbol is { } symbol && captures.Variables.Contains(symbol, SymbolEqualityComparer.Default));

    private static ExpressionSyntax MemberOf(string state, IdentifierNameSyntax reference) =>
        SyntaxFactory.MemberAccessExpression(SyntaxKind.SimpleMemberAccessExpression, SyntaxFactory.IdentifierName(state), reference.WithoutTrivia()).WithTriviaFrom(reference);

    private LambdaExpressionSyntax WithParameter(LambdaExpressionSyntax lambda, string state)
    {
        SyntaxToken name = SyntaxFactory.ParseToken(state);
        switch (lambda)
        {
            case SimpleLambdaExpressionSyntax simple:
                ParameterListSyntax both = SyntaxFactory.ParameterList(
                    SyntaxFactory.SeparatedList(
                        new[] { simple.Parameter.WithoutTrivia(), SyntaxFactory.Parameter(name) },
                        new[] { Comma }));
                return SyntaxFactory.ParenthesizedLambdaExpression(both.WithTrailingTrivia(SyntaxFactory.Space), simple.Body)
                    .WithArrowToken(simple.ArrowToken);
            case ParenthesizedLambdaExpressionSyntax { ParameterList: var list } full:
                ParameterSyntax added = SyntaxFactory.Parameter(name);
                if (list.Parameters.Any(static parameter => parameter.Type is not null))
                {
                    added = added.WithType(SyntaxFactory.ParseTypeName(StateType(lambda.SpanStart)).WithTrailingTrivia(SyntaxFactory.Space));
                }

                SeparatedSyntaxList<ParameterSyntax> parameters = SyntaxFactory.SeparatedList<ParameterSyntax>(
                    list.Parameters.GetWithSeparators().Add(Comma).Add(added));
                return full.WithParameterList(list.WithParameters(parameters));
            default:
                return lambda;
        }
    }

    private static SyntaxToken Comma => SyntaxFactory.Token(SyntaxKind.CommaToken).WithTrailingTrivia(SyntaxFactory.Space);

    private string StateType(int position)
    {
        string[] types = [.. captures.Variables.Select(variable => TypeOf(variable).ToMinimalDisplayString(model, position))];
        return types.Length == 1 ? types[0] : $"({string.Join(", ", types.Zip(captures.Variables, static (type, variable) => $"{type} {NameOf(variable)}"))})";
    }

    // As the source has to write it: "@event".
    private static string NameOf(ISymbol variable) => variable.ToDisplayString(s_verbatim);

    private static ITypeSymbol TypeOf(ISymbol variable) => variable is ILocalSymbol local ? local.Type : ((IParameterSymbol)variable).Type;
}
