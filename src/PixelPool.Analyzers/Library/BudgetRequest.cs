using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Library;

/// <summary>A call that asks a budget and does not wait, although it has an asynchronous sibling.</summary>
internal sealed class BudgetRequest
{
    private BudgetRequest(IOperation source, IMethodSymbol sibling) => (Source, Sibling) = (source, sibling);

    /// <summary>The allocator or scope that is asked.</summary>
    public IOperation Source { get; }

    /// <summary>What can be awaited instead. It takes the same arguments, and usually a token.</summary>
    public IMethodSymbol Sibling { get; }

    public static BudgetRequest? Of(IInvocationOperation call, LibraryTypes types)
    {
        IMethodSymbol method = call.TargetMethod;
        ITypeSymbol type = method.IsExtensionMethod ? method.Parameters[0].Type : method.ContainingType;
        return (types.IsAllocator(type) || types.IsScope(type)) && Creation.IsOwnable(method.ReturnType, types)
            && (call.Instance ?? call.Arguments.FirstOrDefault(static argument => argument.Parameter?.Ordinal == 0)?.Value) is { } source
            && method.ContainingType.GetMembers(method.Name + "Async").OfType<IMethodSymbol>().FirstOrDefault(other => IsSibling(other, method)) is { } sibling
            ? new BudgetRequest(source, sibling)
            : null;
    }

    private static bool IsSibling(IMethodSymbol other, IMethodSymbol method) => other.IsExtensionMethod == method.IsExtensionMethod
        && (!method.IsExtensionMethod || SymbolEqualityComparer.Default.Equals(other.Parameters[0].Type, method.Parameters[0].Type));
}
