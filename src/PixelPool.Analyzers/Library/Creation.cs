using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Library;

/// <summary>Calls that give the caller something to dispose.</summary>
internal static class Creation
{
    /// <summary>What the caller owns from now on; null when the operation gives nothing to own. Of a task it is what the task will give.</summary>
    public static ITypeSymbol? Of(IOperation operation, LibraryTypes types) => operation switch
    {
        IInvocationOperation call when Result(call.TargetMethod.ReturnType) is var type && IsOwnable(type, types) && GivesOwnership(call.TargetMethod, types) => type,
        IObjectCreationOperation { Type.IsReferenceType: true } made when types.IsOwned(made.Type) => made.Type,
        _ => null,
    };

    /// <summary>What the caller owns if the call returns true: that of <c>TryRent</c> and its siblings.</summary>
    public static ITypeSymbol? OfOut(IArgumentOperation argument, LibraryTypes types) =>
        argument is { Parameter: { RefKind: RefKind.Out } parameter, Parent: IInvocationOperation call } && IsOfAllocator(call.TargetMethod, types) && IsOwnable(parameter.Type, types)
            ? parameter.Type
            : null;

    /// <summary>The operation that has what a creation gives: the creation itself, or what awaits it and converts it.</summary>
    public static IOperation ValueOf(IOperation creation)
    {
        IOperation value = creation;
        while (true)
        {
            switch (value.Parent)
            {
                case IAwaitOperation:
                case { } parent when Conversion.Keeps(parent):
                    value = value.Parent;
                    break;
                case IInvocationOperation { TargetMethod.Name: "ConfigureAwait" or "AsTask" or "GetAwaiter" or "GetResult" } call when call.Instance == value:
                    value = call;
                    break;
                case IPropertyReferenceOperation { Property.Name: "Result" } result when result.Instance == value:
                    value = result;
                    break;
                default:
                    return value;
            }
        }
    }

    /// <summary>The call that a value is the result of, awaited and converted, if it is one that gives ownership.</summary>
    public static IOperation? Behind(IOperation? value, LibraryTypes types) =>
        value?.DescendantsAndSelf().FirstOrDefault(part => Of(part, types) is not null && ValueOf(part) is { Parent: not IConversionOperation } result && result.Syntax == value.Syntax);

    /// <summary>The member that gave it.</summary>
    public static string NameOf(IOperation creation) => creation is IInvocationOperation call ? call.TargetMethod.Name : "new";

    /// <summary>What people call an object of the type that this call gave.</summary>
    public static string NounFor(ITypeSymbol type, string member) => type.Name switch
    {
        "PixelBuffer" or "ReadOnlyPixelBuffer" => member is "View" or "Cast" or "AsSubsampledPlane" ? "view" : "buffer",
        "PixelLease" or "PlanarLease" => "lease",
        "PinnedPixels" => "pin",
        "RentScope" => "scope",
        "ExternalCharge" => "charge",
        "LeakTracker" => "tracker",
        "IMemoryOwner" => "owner",
        "PlanarImage" => "image",
        _ => "stream",
    };

    /// <summary>What it costs not to dispose what a noun names.</summary>
    public static string PriceOf(string noun) => noun switch
    {
        "charge" => "until a finalizer finds it, the budget pays for it",
        "tracker" => "until then every rent records its stack",
        _ => "until a finalizer finds it, it holds memory",
    };

    /// <summary>Whether the result of a call only borrows what a lease or a buffer owns: it need not be disposed, and disposing it does nothing.</summary>
    public static bool IsBorrowed(IMethodSymbol method, LibraryTypes types) => types.MayBeView(method.ReturnType) && types.IsOwned(method.ContainingType) && !types.IsScope(method.ContainingType);

    /// <summary>Whether values of the type can be something to dispose that PixelPool gave.</summary>
    public static bool IsOwnable(ITypeSymbol type, LibraryTypes types) => types.IsOwned(type) || LibraryTypes.IsMemoryOwner(type);

    // What a scope gives is disposed with the scope.
    private static bool GivesOwnership(IMethodSymbol method, LibraryTypes types) =>
        IsOfAllocator(method, types)
        || (!IsBorrowed(method, types) && types.IsOwned(method.ContainingType) && !types.IsScope(method.ContainingType)
            && (method.IsStatic || method.Name is "View" or "Cast" or "AsSubsampledPlane" or "Pin" or "Clone" or "AsBuffer"));

    // A member, or an extension.
    private static bool IsOfAllocator(IMethodSymbol method, LibraryTypes types) =>
        types.IsAllocator(method.ContainingType) || (method is { IsExtensionMethod: true, Parameters: { Length: > 0 } parameters } && types.IsAllocator(parameters[0].Type));

    private static ITypeSymbol Result(ITypeSymbol type) =>
        type is INamedTypeSymbol { Name: "ValueTask" or "Task", TypeArguments: { Length: 1 } results } ? results[0] : type;
}
