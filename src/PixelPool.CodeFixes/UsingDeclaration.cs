using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using PixelPool.Analyzers.Library;

namespace PixelPool.CodeFixes;

/// <summary>Makes a declaration with <c>using</c> of one without, and of a statement that drops what it rents.</summary>
internal sealed class UsingDeclaration(SemanticModel model, LibraryTypes types)
{
    private readonly ScopeUses _uses = new(model);

    /// <summary>The statement around a call, and what it becomes; null where a <c>using</c> may be wrong.</summary>
    public (SyntaxNode Before, SyntaxNode After)? For(ExpressionSyntax creation)
    {
        ExpressionSyntax value = creation;
        while (value.Parent is AwaitExpressionSyntax or ParenthesizedExpressionSyntax
            or MemberAccessExpressionSyntax { Name.Identifier.Text: "ConfigureAwait" } or InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax })
        {
            value = (ExpressionSyntax)value.Parent;
        }

        return value.Parent switch
        {
            EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax { Parent.Parent: LocalDeclarationStatementSyntax declaration } } when CanBeUsing(declaration) =>
                (declaration, WithUsing(declaration)),
            AssignmentExpressionSyntax { Left: IdentifierNameSyntax { Identifier.Text: "_" }, Parent: ExpressionStatementSyntax statement } => Named(statement, value),
            ExpressionStatementSyntax statement => Named(statement, value),
            _ => null,
        };
    }

    private bool CanBeUsing(LocalDeclarationStatementSyntax declaration) =>
        HoldsDeclarations(declaration) && declaration.Declaration.Variables.All(variable =>
            Creation.Behind(variable.Initializer is { Value: var value } ? model.GetOperation(value) : null, types) is not null
            && _uses.AllowUsing(variable.Identifier.Text, declaration.Parent is GlobalStatementSyntax top ? top.Parent! : declaration.Parent!));

    // Not what stands alone behind an "if".
    private static bool HoldsDeclarations(StatementSyntax statement) => statement.Parent is BlockSyntax or GlobalStatementSyntax;

    private (SyntaxNode Before, SyntaxNode After)? Named(ExpressionStatementSyntax statement, ExpressionSyntax value)
    {
        if (!HoldsDeclarations(statement)
            || model.GetOperation(value) is not { Type: { } type } operation
            || !Creation.IsOwnable(type, types)
            || Creation.Behind(operation, types) is not { } creation)
        {
            return null;
        }

        string name = FreeName.Like(Creation.NounFor(type, Creation.NameOf(creation)), MemberAround(statement), statement.SpanStart, model);
        LocalDeclarationStatementSyntax declaration = SyntaxFactory.LocalDeclarationStatement(
            SyntaxFactory.VariableDeclaration(
                SyntaxFactory.IdentifierName("var").WithTrailingTrivia(SyntaxFactory.Space),
                SyntaxFactory.SingletonSeparatedList(SyntaxFactory.VariableDeclarator(
                    SyntaxFactory.Identifier(name).WithTrailingTrivia(SyntaxFactory.Space),
                    null,
                    SyntaxFactory.EqualsValueClause(SyntaxFactory.Token(SyntaxKind.EqualsToken).WithTrailingTrivia(SyntaxFactory.Space), value.WithoutLeadingTrivia())))));
        return (statement, WithUsing(declaration.WithSemicolonToken(statement.SemicolonToken).WithLeadingTrivia(statement.GetLeadingTrivia())));
    }

    // Top-level statements are members of the file, and all of them see what one declares.
    private static SyntaxNode MemberAround(StatementSyntax statement) =>
        statement.Ancestors().First(static node => node is MemberDeclarationSyntax and not GlobalStatementSyntax or CompilationUnitSyntax);

    private static LocalDeclarationStatementSyntax WithUsing(LocalDeclarationStatementSyntax declaration)
    {
        SyntaxToken keyword = SyntaxFactory.Token(declaration.GetLeadingTrivia(), SyntaxKind.UsingKeyword, SyntaxFactory.TriviaList(SyntaxFactory.Space));
        return declaration.WithLeadingTrivia().WithUsingKeyword(keyword);
    }
}
