using System.Collections.Immutable;
using Microsoft.CodeAnalysis;

namespace PixelPool.Analyzers.Library;

/// <summary>The types of PixelPool, as a compilation that references it sees them.</summary>
internal sealed class LibraryTypes
{
    private static readonly ImmutableHashSet<string> s_owned = ImmutableHashSet.Create(
        "PixelBuffer", "ReadOnlyPixelBuffer", "PixelLease", "PinnedPixels", "RentScope", "ExternalCharge", "LeakTracker", "PlanarImage", "PlanarLease", "PixelPoolStream");

    private readonly IAssemblySymbol _library;

    private LibraryTypes(IAssemblySymbol library) => _library = library;

    /// <summary>Null in a compilation that does not know PixelPool.</summary>
    public static LibraryTypes? Find(Compilation compilation) =>
        compilation.GetTypeByMetadataName("PixelPool.PixelAllocator") is { } allocator ? new LibraryTypes(allocator.ContainingAssembly) : null;

    public bool IsOurs(ISymbol? symbol) => SymbolEqualityComparer.Default.Equals(symbol?.ContainingAssembly, _library);

    /// <summary>Whether objects of the type hold memory, or something else, until they are disposed.</summary>
    public bool IsOwned(ITypeSymbol? type) => type is INamedTypeSymbol && s_owned.Contains(type.Name) && IsOurs(type);

    public bool IsAllocator(ITypeSymbol? type) => IsNamed(type, "PixelAllocator");

    public bool IsScope(ITypeSymbol? type) => IsNamed(type, "RentScope");

    public bool IsLease(ITypeSymbol? type) => MayBeView(type) || IsNamed(type, "PlanarLease");

    /// <summary>Whether it may be a view of a lease, whose disposal does nothing.</summary>
    public bool MayBeView(ITypeSymbol? type) => IsNamed(type, "PixelLease");

    public bool IsPin(ITypeSymbol? type) => IsNamed(type, "PinnedPixels");

    public bool IsAccessor(ITypeSymbol? type) => type is { Name: "PixelAccessor" or "ReadOnlyPixelAccessor" or "PixelAccessorList" } && IsOurs(type);

    /// <summary>Whether delegates of the type get pixels that are valid until they return.</summary>
    public bool IsPixelDelegate(ITypeSymbol? type) =>
        type is INamedTypeSymbol { DelegateInvokeMethod.Parameters: var parameters } && IsOurs(type) && parameters.Any(parameter => IsAccessor(parameter.Type) || IsSpan(parameter.Type));

    public static bool IsSpan(ITypeSymbol? type) => type is INamedTypeSymbol { Name: "Span" or "ReadOnlySpan", Arity: 1 } && type.ContainingNamespace?.Name == "System";

    /// <summary>Whether it is <c>IMemoryOwner&lt;T&gt;</c>. Others make such owners, too.</summary>
    public static bool IsMemoryOwner(ITypeSymbol? type) =>
        type is INamedTypeSymbol { Name: "IMemoryOwner", Arity: 1 } && type.ContainingNamespace?.ToDisplayString() == "System.Buffers";

    private bool IsNamed(ITypeSymbol? type, string name) => type is INamedTypeSymbol && type.Name == name && IsOurs(type);
}
