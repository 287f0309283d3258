using PixelPool.Budgets;
using PixelPool.Tiers;

namespace PixelPool;

/// <content>Memory of others that shares the budget, and scopes with a budget of their own.</content>
public sealed partial class PixelAllocator
{
    /// <summary>
    /// Charges the budget with memory that somebody else holds: a native decoder's, a bitmap's of another library. Idle blocks go back to the system until all of
    /// it fits into the budget together; so a container does not run out of memory beside a full pool.
    /// </summary>
    /// <remarks>
    /// To be called before that memory is got, with the most that it may be. It is refused, or waits, as <see cref="Rent{TPixel}"/> does; who must not block
    /// charges a scope that was reserved: <see cref="ReserveScopeAsync"/>, <see cref="RentScope.ChargeExternal"/>. Without a budget it is only counted
    /// (<see cref="PixelPoolStatistics.ExternalBytes"/>). It costs about as much as a rent: it is meant for megabytes. Reports of what is held and of leaks name it, too.
    /// </remarks>
    /// <param name="bytes">Bytes to charge; at least 1.</param>
    /// <returns>The charge. The caller disposes it when that memory is freed.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ExternalCharge ChargeExternal(long bytes) => ChargeExternalFor(null, bytes);

    internal ExternalCharge ChargeExternalFor(IRentPayer? payer, long bytes)
    {
        CheckCharge(nameof(bytes), bytes);
        return MemoryRequests.Hand(_requests.TakeCharge(payer, bytes, reserve: false), static guard => new ExternalCharge(guard));
    }

    /// <summary>
    /// Opens a scope that may rent at most <paramref name="maxBytes"/> at once: for a tenant, or a request that must not take all. What it rents counts against
    /// the scope and against <see cref="PixelAllocatorOptions.MaxRentedBytes"/>.
    /// </summary>
    /// <param name="maxBytes">The most bytes rented and charged at once; at least 1. It may be more than the allocator has: then that is what limits it.</param>
    /// <returns>The scope. The caller disposes it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxBytes"/> is less than 1.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public RentScope CreateScope(long maxBytes) => CreateScopeIn(null, maxBytes);

    /// <summary>
    /// Opens a scope with a part of the budget that nobody else can take: what is rented in it, up to <paramref name="bytes"/>, never waits and is never refused.
    /// If the allocator has no budget, the scope is limited all the same.
    /// </summary>
    /// <remarks>
    /// For work that needs several buffers: when everybody takes all they will need at once, nobody holds some memory while he waits for more. Bytes are those
    /// really held: whole blocks (<see cref="PixelAllocatorOptions.BlockBytes"/>) for what is larger than a small image. More than was reserved is refused,
    /// without waiting. Disposing the scope gives back what is not rented; buffers that outlive it give theirs back when they are returned.
    /// </remarks>
    /// <param name="bytes">Bytes to reserve; at least 1.</param>
    /// <returns>The scope. The caller disposes it. A forgotten scope gives its part back when it is collected, and counts as leaked.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public RentScope ReserveScope(long bytes) => ReserveScopeIn(null, bytes);

    /// <summary>
    /// <see cref="ReserveScope"/> as soon as the budget has room for it, first come, first served, as <see cref="RentAsync{TPixel}"/>.
    /// </summary>
    /// <param name="bytes">Bytes to reserve; at least 1.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The scope. The caller disposes it. A forgotten scope gives its part back when it is collected, and counts as leaked.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The bytes are more than the whole budget: it would wait for ever.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. Nothing was rented.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ValueTask<RentScope> ReserveScopeAsync(long bytes, CancellationToken cancellationToken = default) =>
        ReserveScopeInAsync(null, bytes, cancellationToken);

    internal RentScope CreateScopeIn(RentScope? outer, long maxBytes)
    {
        CheckCharge(nameof(maxBytes), maxBytes);
        return new RentScope(this, outer, maxBytes);
    }

    internal RentScope ReserveScopeIn(RentScope? outer, long bytes)
    {
        CheckCharge(nameof(bytes), bytes);
        return MemoryRequests.Hand(_requests.TakeCharge(outer, bytes, reserve: true), guard => new RentScope(this, outer, guard));
    }

    internal ValueTask<RentScope> ReserveScopeInAsync(RentScope? outer, long bytes, CancellationToken cancellationToken)
    {
        CheckCharge(nameof(bytes), bytes);
        cancellationToken.ThrowIfCancellationRequested();
        return _requests.TryTakeCharge(outer, bytes, reserve: true) is { } guard
            ? new ValueTask<RentScope>(MemoryRequests.Hand(guard, guard => new RentScope(this, outer, guard)))
            : _requests.TakeChargeAsync(outer, bytes, reserve: true, guard => new RentScope(this, outer, guard), cancellationToken);
    }

    private void CheckCharge(string name, long bytes)
    {
        if (bytes < 1)
        {
            Throw.OutOfRange(name, bytes, $"{name} must be at least 1.");
        }

        ThrowIfDisposed();
    }
}
