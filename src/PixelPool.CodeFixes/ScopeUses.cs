using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PixelPool.CodeFixes;

/// <summary>What a scope does with a variable that a <c>using</c> is to dispose at its end.</summary>
internal sealed class ScopeUses(SemanticModel model)
{
    /// <summary>Whether a <c>using</c> is right: the variable gets no other value, nothing disposes it before, and nothing uses it after the scope.</summary>
    public bool AllowUsing(string name, params SyntaxNode[] scope) =>
        !Names.In(scope, name).Any(IsWrittenOrDisposed) && !new LaterUses(model, scope, name).Exist();

    private static bool IsWrittenOrDisposed(IdentifierNameSyntax reference)
    {
        ExpressionSyntax value = reference;
        while (value.Parent is ParenthesizedExpressionSyntax or CastExpressionSyntax
            or PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression }
            || (value.Parent is BinaryExpressionSyntax { RawKind: (int)SyntaxKind.AsExpression } conversion && conversion.Left == value))
        {
            value = (ExpressionSyntax)value.Parent;
        }

        return value.Parent switch
        {
            AssignmentExpressionSyntax assignment => assignment.Left == value,
            ArgumentSyntax argument => !argument.RefKindKeyword.IsKind(SyntaxKind.None),
            UsingStatementSyntax => true,
            MemberAccessExpressionSyntax access => access.Expression == value && Disposes(access.Name),
            ConditionalAccessExpressionSyntax { WhenNotNull: var rest } => rest.DescendantNodesAndSelf().Any(static part => part is MemberBindingExpressionSyntax binding && Disposes(binding.Name)),
            _ => false,
        };
    }

    private static bool Disposes(SimpleNameSyntax member) => member.Identifier.Text is "Dispose" or "DisposeAsync" or "Close";
}
