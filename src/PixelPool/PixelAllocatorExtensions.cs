using System.Buffers;
using System.Runtime.CompilerServices;

namespace PixelPool;

/// <summary>Overloads for code that is generic over all structs.</summary>
public static class PixelAllocatorExtensions
{
    /// <summary>
    /// Allocates contiguous memory like <see cref="PixelAllocator.Allocate{T}"/>, for code whose own type parameter is not <c>unmanaged</c>. That the elements hold no
    /// references is checked at run time.
    /// </summary>
    /// <typeparam name="T">The type of an element: any struct without references.</typeparam>
    /// <param name="allocator">The allocator.</param>
    /// <param name="length">Number of elements; 0 or more.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>
    /// An owner of exactly <paramref name="length"/> elements. The caller disposes it, on any thread. Lifetime and all other errors are those of <see cref="PixelAllocator.Allocate{T}"/>.
    /// </returns>
    /// <exception cref="ArgumentException"><typeparamref name="T"/> is a reference, or holds one: the collector does not look for references in this memory. Nothing was taken.</exception>
    /// <exception cref="ArgumentNullException">The allocator is null.</exception>
    public static IMemoryOwner<T> AllocateStructs<T>(this PixelAllocator allocator, int length, AllocationOptions options = AllocationOptions.None)
        where T : struct
    {
        Throw.IfNull(allocator, nameof(allocator));
        ThrowIfReferences<T>();
        return allocator.AllocateFor<T>(null, length, options);
    }

    /// <summary>
    /// Allocates memory that is returned with the scope, like <see cref="RentScope.Allocate{T}"/>, for code whose own type parameter is not <c>unmanaged</c>. That the
    /// elements hold no references is checked at run time.
    /// </summary>
    /// <typeparam name="T">The type of an element: any struct without references.</typeparam>
    /// <param name="scope">The scope. It owns the memory, and its budget pays for it.</param>
    /// <param name="length">Number of elements; 0 or more.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>An owner of exactly <paramref name="length"/> elements. It may be disposed before the scope, on any thread. All other errors are those of <see cref="RentScope.Allocate{T}"/>.</returns>
    /// <exception cref="ArgumentException"><typeparamref name="T"/> is a reference, or holds one: the collector does not look for references in this memory. Nothing was taken.</exception>
    /// <exception cref="ArgumentNullException">The scope is null.</exception>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public static IMemoryOwner<T> AllocateStructs<T>(this RentScope scope, int length, AllocationOptions options = AllocationOptions.None)
        where T : struct
    {
        Throw.IfNull(scope, nameof(scope));
        ThrowIfReferences<T>();
        return RentScope.Own(scope, scope.Live.AllocateFor<T>(scope.Payer, length, options));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void ThrowIfReferences<T>()
        where T : struct
    {
#if NET
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            Throw.Argument($"{TypeName.Of(typeof(T))} holds references: pooled memory cannot hold them.", nameof(T));
        }
#else
        // A span of an address refuses them, which this base library cannot ask for.
        unsafe
        {
            _ = new Span<T>(null, 0);
        }
#endif
    }
}
