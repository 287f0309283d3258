using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PixelPool.Analyzers.Flow;

/// <summary>Where a field or property gets a value. One that gets another value, too, is a place for the time of a call.</summary>
internal static class MemberWrites
{
    /// <summary>Whether an assignment is the only place in some code that may write a member. Which member of that name is written is not worth asking.</summary>
    public static bool AreOnly(SyntaxNode assignment, ISymbol member, IEnumerable<SyntaxNode> code) =>
        code.SelectMany(static part => part.DescendantNodesAndSelf()).All(node => node == assignment || node switch
        {
            AssignmentExpressionSyntax other => !Names(other.Left, member.Name),
            ArgumentSyntax argument => argument.RefKindKeyword.IsKind(SyntaxKind.None) || !Names(argument.Expression, member.Name),
            RefExpressionSyntax alias => !Names(alias.Expression, member.Name),
            _ => true,
        });

    private static bool Names(ExpressionSyntax expression, string name) =>
        expression.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(part => part.Identifier.ValueText == name);
}
