using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Library;

/// <summary>Calls that give back what is owned, or give it away.</summary>
internal static class Disposal
{
    public static bool Is(IInvocationOperation call) =>
        call is { TargetMethod: { Name: "Dispose" or "DisposeAsync" or "Close" or "GiveToNative", Parameters.Length: 0 } method } && !Extension.Is(method);

    /// <summary>Whether native code has it from now on: whoever disposes it ends nothing.</summary>
    public static bool GivesAway(IInvocationOperation call) => call.TargetMethod.Name == "GiveToNative";

    /// <summary>Whether a call or property of something that was disposed throws. Its size and state can still be asked.</summary>
    public static bool Forbids(IOperation operation) => operation switch
    {
        IInvocationOperation { TargetMethod: var method } call => !Is(call) && !Extension.Is(method) && method.Name is not
            ("ToString" or "Equals" or "GetHashCode" or "GetType" or "Flush" or "FlushAsync"),
        IPropertyReferenceOperation { Property: var property } => !Extension.Is(property) && (property.IsIndexer || property.Name is "Pointer" or "Address" or "Memory"),
        _ => false,
    };
}
