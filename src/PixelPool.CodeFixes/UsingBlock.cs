using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;

namespace PixelPool.CodeFixes;

/// <summary>Puts a <c>using</c> around the code that is reached when <c>TryRent</c> succeeded.</summary>
internal sealed class UsingBlock(SemanticModel model)
{
    private readonly ScopeUses _uses = new(model);

    /// <summary>What holds the code behind <c>if (TryRent(…))</c>, or behind <c>if (!TryRent(…)) { return; }</c>, and what it becomes; null for other conditions.</summary>
    public (SyntaxNode Before, SyntaxNode After)? For(ExpressionSyntax call)
    {
        IEnumerable<DeclarationExpressionSyntax>? declared = (call as InvocationExpressionSyntax)?.ArgumentList.Arguments
            .Select(static argument => argument.Expression).OfType<DeclarationExpressionSyntax>();
        if (declared?.FirstOrDefault()?.Designation is not SingleVariableDesignationSyntax { Identifier.Text: var name })
        {
            return null;
        }

        return call.Parent switch
        {
            IfStatementSyntax test when !IsNamedOutside(name, test) && _uses.AllowUsing(name, test.Statement) =>
                (test.Statement, Within(test.Statement, name)),
            PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression, Parent: IfStatementSyntax { Else: null, Parent: BlockSyntax block } guard }
                when Leaves(guard.Statement) => After(block, guard, name),
            _ => null,
        };
    }

    // Its scope is what is around the "if".
    private static bool IsNamedOutside(string name, IfStatementSyntax test)
    {
        SyntaxNode scope = test.Parent is GlobalStatementSyntax top ? top.Parent! : test.Parent!;
        return scope.DescendantNodes(node => node != test.Statement).OfType<IdentifierNameSyntax>().Any(reference => reference.Identifier.Text == name);
    }

    private static bool Leaves(StatementSyntax statement) => (statement is BlockSyntax block ? block.Statements.LastOrDefault() : statement) is
        ReturnStatementSyntax or ThrowStatementSyntax or ContinueStatementSyntax or BreakStatementSyntax;

    private static SyntaxNode Within(StatementSyntax statement, string name) => statement is BlockSyntax block
        ? block.WithStatements(SyntaxFactory.SingletonList(Around(block.Statements, name)))
        : SyntaxFactory.Block(Around(SyntaxFactory.SingletonList(statement), name)).WithAdditionalAnnotations(Formatter.Annotation);

    // A local function may be called before, and a label be jumped to.
    private (SyntaxNode Before, SyntaxNode After)? After(BlockSyntax block, StatementSyntax guard, string name)
    {
        int first = block.Statements.IndexOf(guard) + 1;
        StatementSyntax[] rest = [.. block.Statements.Skip(first)];
        return rest.Length > 0 && rest.All(static statement => statement is not (LocalFunctionStatementSyntax or LabeledStatementSyntax)) && _uses.AllowUsing(name, rest)
            ? (block, block.WithStatements(SyntaxFactory.List(block.Statements.Take(first).Append(Around(SyntaxFactory.List(rest), name)))))
            : null;
    }

    private static StatementSyntax Around(SyntaxList<StatementSyntax> statements, string name)
    {
        StatementSyntax? first = statements.FirstOrDefault();
        SyntaxList<StatementSyntax> inside = first is null ? statements : statements.Replace(first, first.WithLeadingTrivia(SyntaxFactory.ElasticMarker));
        return SyntaxFactory.UsingStatement(null, SyntaxFactory.IdentifierName(name), SyntaxFactory.Block(inside))
            .WithLeadingTrivia(first?.GetLeadingTrivia() ?? SyntaxFactory.TriviaList(SyntaxFactory.ElasticMarker))
            .WithAdditionalAnnotations(Formatter.Annotation);
    }
}
