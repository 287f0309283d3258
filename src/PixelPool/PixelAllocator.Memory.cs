using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Tiers;

namespace PixelPool;

// Memory that is no image.
public sealed partial class PixelAllocator
{
    /// <summary>Allocates contiguous memory of any element type from the same tiers, budget and accounts as images.</summary>
    /// <typeparam name="T">The type of an element: any unmanaged type.</typeparam>
    /// <param name="length">Number of elements; 0 or more.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>
    /// An owner of exactly <paramref name="length"/> elements, as thread-safe as a <see cref="PixelBuffer{TPixel}"/>. The caller disposes it. Its memory throws
    /// <see cref="ObjectDisposedException"/> after that. Pins (<see cref="Memory{T}.Pin"/>) hold the memory until they are disposed, even if the owner is disposed before.
    /// Disposing it can throw as <see cref="PixelBuffer{TPixel}.Dispose"/> can.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative, or an option is unknown.</exception>
    /// <exception cref="InvalidMemoryOperationException">The memory would exceed the address space.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// The memory would exceed <see cref="PixelAllocatorOptions.MaxRentedBytes"/>, or earlier requests wait for that room, and
    /// <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="Rent{TPixel}"/>.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public IMemoryOwner<T> Allocate<T>(int length, AllocationOptions options = AllocationOptions.None)
        where T : unmanaged =>
        AllocateFor<T>(null, length, options);

    /// <summary>Allocates contiguous memory, if the budget has room for it: see <see cref="Allocate{T}"/>.</summary>
    /// <typeparam name="T">The type of an element: any unmanaged type.</typeparam>
    /// <param name="length">Number of elements; 0 or more.</param>
    /// <param name="owner">The owner. The caller disposes it.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>False when the budget has no room, as with <see cref="TryRent{TPixel}"/>.</returns>
    public bool TryAllocate<T>(int length, [NotNullWhen(true)] out IMemoryOwner<T>? owner, AllocationOptions options = AllocationOptions.None)
        where T : unmanaged =>
        TryAllocateFor(null, length, out owner, options);

    /// <summary>Allocates contiguous memory as soon as the budget has room for it: see <see cref="RentAsync{TPixel}"/>.</summary>
    /// <typeparam name="T">The type of an element: any unmanaged type.</typeparam>
    /// <param name="length">Number of elements; 0 or more.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait. A request that was granted already is not cancelled.</param>
    /// <returns>The owner. The caller disposes it. The errors are those of <see cref="Allocate{T}"/> and <see cref="RentAsync{TPixel}"/>.</returns>
    public ValueTask<IMemoryOwner<T>> AllocateAsync<T>(
        int length, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
        where T : unmanaged =>
        AllocateForAsync<T>(null, length, options, cancellationToken);

    internal IMemoryOwner<T> AllocateFor<T>(RentPayer? payer, int length, AllocationOptions options)
        where T : struct =>
        new OwnedMemory<T>(Requests.TakeMemory(payer, CheckLength<T>(length), options), length);

    /// <summary>Allocates one whole block, with the errors of <see cref="Allocate{T}"/>, for code that cuts it: its address is that of a page, and does not change.</summary>
    /// <param name="makeRoom">Called from time to time while the call waits for the budget. What it throws ends the wait.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled while the call waited for the budget.</exception>
    internal IMemoryOwner<byte> AllocateBlock(Action makeRoom, CancellationToken cancellationToken) => OwnBlock(Requests.TakeBlock(makeRoom, cancellationToken));

    /// <summary>The same, if the budget has room for it: null if not, and that is no refusal.</summary>
    internal IMemoryOwner<byte>? TryAllocateBlock() => Requests.TryTakeBlock() is { } guard ? OwnBlock(guard) : null;

    // Nobody else finds the block where there is no memory for its owner, or for a delegate that makes it: who cuts it counts no leaks.
    private OwnedMemory<byte> OwnBlock(LifetimeGuard guard)
    {
        try
        {
            return new OwnedMemory<byte>(guard, PieceSizes.Block);
        }
        catch
        {
            guard.TryReleaseOwner(guard.Version);
            throw;
        }
    }

    internal bool TryAllocateFor<T>(RentScope? scope, int length, [NotNullWhen(true)] out IMemoryOwner<T>? owner, AllocationOptions options)
        where T : struct
    {
        LifetimeGuard? guard = Requests.TryTakeMemory(scope?.Payer, CheckLength<T>(length), options, out long neededBytes);
        if (guard is null)
        {
            Requests.Refuse(scope?.Payer, neededBytes);
        }

        owner = guard is null ? null : RentScope.Own<IMemoryOwner<T>>(scope, new OwnedMemory<T>(guard, length));
        return owner is not null;
    }

    internal ValueTask<IMemoryOwner<T>> AllocateForAsync<T>(RentScope? scope, int length, AllocationOptions options, CancellationToken cancellationToken)
        where T : struct
    {
        long bytes = CheckLength<T>(length);
        cancellationToken.ThrowIfCancellationRequested();
        LifetimeGuard? guard = Requests.TryTakeMemory(scope?.Payer, bytes, options, out long neededBytes);
        return guard is not null
            ? new ValueTask<IMemoryOwner<T>>(OwnerOf<T>((scope, length), guard))
            : Requests.TakeMemoryAsync(scope?.Payer, bytes, options, neededBytes, (scope, length), OwnerOf<T>, cancellationToken);
    }

    private static IMemoryOwner<T> OwnerOf<T>((RentScope? Scope, int Length) asked, LifetimeGuard guard)
        where T : struct =>
        RentScope.Own<IMemoryOwner<T>>(asked.Scope, new OwnedMemory<T>(guard, asked.Length));

    private static long CheckLength<T>(int length)
        where T : struct
    {
        Throw.IfNegative(length, nameof(length));
        return (long)length * Unsafe.SizeOf<T>();
    }
}
