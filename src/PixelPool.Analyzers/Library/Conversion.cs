using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Library;

/// <summary>What a conversion gives. An operator may make anything of a value, another object or a number.</summary>
internal static class Conversion
{
    /// <summary>Whether an operation is a conversion, or parentheses, with the value itself as its result.</summary>
    public static bool Keeps(IOperation? operation) =>
        operation is IParenthesizedOperation || (operation is IConversionOperation { OperatorMethod: var method } && Keeps(method)) || IsAsReadOnly(operation);

    /// <summary>Whether it is the call that gives a buffer as another type: they end together.</summary>
    public static bool IsAsReadOnly(IOperation? operation) =>
        operation is IInvocationOperation { TargetMethod: { Name: "AsReadOnly", ReturnType: var type } } && IsReadOnlyBuffer(type);

    // Operators of the system are between addresses, and between spans, of the same memory; older compilers call them where newer ones need none.
    private static bool Keeps(IMethodSymbol? method) => method is null or { ContainingNamespace: { Name: "System", ContainingNamespace.IsGlobalNamespace: true } }
        || (method.Name == WellKnownMemberNames.ImplicitConversionName && IsReadOnlyBuffer(method.ContainingType));

    private static bool IsReadOnlyBuffer(ITypeSymbol type) => type is { Name: "ReadOnlyPixelBuffer", ContainingNamespace: { Name: "PixelPool", ContainingNamespace.IsGlobalNamespace: true } };
}
