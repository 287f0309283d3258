using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace PixelPool;

// Memory that is no image.
public sealed partial class RentScope
{
    /// <summary>Allocates memory that is returned with the scope, with the parameters and errors of <see cref="PixelAllocator.Allocate{T}"/>.</summary>
    /// <typeparam name="T">The type of an element.</typeparam>
    /// <param name="length">Number of elements; 0 or more.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public IMemoryOwner<T> Allocate<T>(int length, AllocationOptions options = AllocationOptions.None)
        where T : unmanaged =>
        Own(this, Live.AllocateFor<T>(Payer, length, options));

    /// <summary>Allocates memory that is returned with the scope, if the budgets have room for it: see <see cref="PixelAllocator.TryAllocate{T}"/>.</summary>
    /// <typeparam name="T">The type of an element.</typeparam>
    /// <param name="length">Number of elements; 0 or more.</param>
    /// <param name="owner">The owner.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <returns>False when the scope's or the allocator's budget has no room.</returns>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public bool TryAllocate<T>(int length, [NotNullWhen(true)] out IMemoryOwner<T>? owner, AllocationOptions options = AllocationOptions.None)
        where T : unmanaged =>
        Live.TryAllocateFor(this, length, out owner, options);

    /// <summary>
    /// Allocates memory that is returned with the scope, as soon as the budgets have room for it: see <see cref="PixelAllocator.AllocateAsync{T}"/>. A reserved
    /// scope never waits: it throws if its reservation has no room.
    /// </summary>
    /// <typeparam name="T">The type of an element.</typeparam>
    /// <param name="length">Number of elements; 0 or more.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed, before or while the request waited.</exception>
    public ValueTask<IMemoryOwner<T>> AllocateAsync<T>(
        int length, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
        where T : unmanaged =>
        Live.AllocateForAsync<T>(this, length, options, cancellationToken);
}
