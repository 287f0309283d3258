using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PixelPool.CodeFixes;

/// <summary>What a scope does with a variable that a <c>using</c> is to dispose at its end.</summary>
internal sealed class ScopeUses(SemanticModel model)
{
    /// <summary>Whether a <c>using</c> is right: the variable gets no other value, nothing disposes it before, and nothing uses it after the scope.</summary>
    public bool AllowUsing(string name, SyntaxNode scope) =>
        !scope.DescendantNodes().OfType<IdentifierNameSyntax>().Any(reference => reference.Identifier.Text == name && (IsWrittenOrDisposed(reference) || IsUsedLater(reference)));

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

    // A task may use what it was given until it ends, and a sequence while somebody reads it. What is returned may lead into the memory.
    private bool IsUsedLater(IdentifierNameSyntax reference)
    {
        for (SyntaxNode inner = reference; inner.Parent is { } around; inner = around)
        {
            switch (around)
            {
                case AwaitExpressionSyntax or AnonymousFunctionExpressionSyntax:
                    return false;
                case ForEachStatementSyntax loop when loop.Expression == inner:
                    return false;
                case InvocationExpressionSyntax or BaseObjectCreationExpressionSyntax when IsGoingOn(model.GetTypeInfo(around).Type) && !IsAwaited((ExpressionSyntax)around):
                    return true;
                case ReturnStatementSyntax or YieldStatementSyntax:
                    return !IsPlain(model.GetTypeInfo(inner).Type);
                case StatementSyntax:
                    return false;
            }
        }

        return false;
    }

    private static bool IsGoingOn(ITypeSymbol? type) =>
        type is INamedTypeSymbol { Name: "Task" or "ValueTask" or "IEnumerable" or "IEnumerator" or "IAsyncEnumerable" or "IAsyncEnumerator" };

    private static bool IsAwaited(ExpressionSyntax call) => call.Parent is AwaitExpressionSyntax or ForEachStatementSyntax
        || call is { Parent: MemberAccessExpressionSyntax { Name.Identifier.Text: "ConfigureAwait", Parent.Parent: AwaitExpressionSyntax or ForEachStatementSyntax } };

    // Numbers, but not addresses, text, and arrays of them: all of these are copies.
    private static bool IsPlain(ITypeSymbol? type) => type switch
    {
        IArrayTypeSymbol array => IsPlain(array.ElementType),
        null or IPointerTypeSymbol or IFunctionPointerTypeSymbol or { SpecialType: SpecialType.System_IntPtr or SpecialType.System_UIntPtr } => false,
        _ => type.IsUnmanagedType || type.SpecialType == SpecialType.System_String,
    };
}
