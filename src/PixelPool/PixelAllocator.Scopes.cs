using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Tiers;

namespace PixelPool;

// Memory of others that shares the budget, and scopes with a budget of their own.
public sealed partial class PixelAllocator
{
    /// <summary>
    /// Charges the budget with memory that other code holds, such as a native decoder or a bitmap of another library. Idle blocks go back to the system until
    /// everything together fits into the budget. So a container does not run out of memory beside a full pool.
    /// </summary>
    /// <remarks>
    /// Call it before that memory is allocated, with the most bytes that it can be. When the budget has no room, it waits and throws as
    /// <see cref="Rent{TPixel}"/> does. Code that must not block reserves a scope (<see cref="ReserveScopeAsync"/>) and charges that
    /// (<see cref="RentScope.ChargeExternal"/>). Without a budget the bytes are only counted (<see cref="PixelPoolStatistics.ExternalBytes"/>). A charge costs
    /// about as much as a rent, so it is meant for megabytes. Reports of what is held and of leaks include it.
    /// </remarks>
    /// <param name="bytes">Bytes to charge; at least 1.</param>
    /// <returns>The charge. The caller disposes it when that memory is freed.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="InvalidMemoryOperationException">Without a budget: all charges together would be more than 2⁶³ bytes.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ExternalCharge ChargeExternal(long bytes) => ChargeExternalFor(null, bytes);

    internal ExternalCharge ChargeExternalFor(RentPayer? payer, long bytes)
    {
        CheckCharge(nameof(bytes), bytes);
        return MemoryRequests.Hand(Requests.TakeCharge(payer, bytes, reserve: false), ExternalCharge.Of);
    }

    /// <summary>
    /// Opens a scope that may rent at most <paramref name="maxBytes"/> at once, for example for a tenant, or for a request that must not take everything. Its
    /// rents count against the scope and against <see cref="PixelAllocatorOptions.MaxRentedBytes"/>.
    /// </summary>
    /// <param name="maxBytes">
    /// The most bytes rented and charged at once; at least 1. If it is more than the allocator's budget, that budget is the limit.
    /// </param>
    /// <returns>The scope. The caller disposes it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxBytes"/> is less than 1.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public RentScope CreateScope(long maxBytes) => CreateScopeIn(null, maxBytes);

    /// <summary>
    /// Opens a scope with a part of the budget that no other code can take. Rents in it, up to <paramref name="bytes"/> together, never wait and are never
    /// refused. The scope has this limit even if the allocator has no budget.
    /// </summary>
    /// <remarks>
    /// For work that needs several buffers. When all work reserves everything it needs at once, none holds memory while it waits for more. The bytes are those
    /// really held (<see cref="GetHeldBytes{TPixel}"/>): whole blocks for anything larger than a small image. A rent beyond the reservation throws without
    /// waiting. Disposing the scope gives back the part that is not rented. Buffers that outlive the scope give their part back when they are returned.
    /// </remarks>
    /// <param name="bytes">Bytes to reserve; at least 1.</param>
    /// <returns>The scope. The caller disposes it. A forgotten scope gives its part back when it is collected, and counts as leaked.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public RentScope ReserveScope(long bytes) => ReserveScopeIn(null, bytes);

    /// <summary>
    /// Opens a scope as <see cref="ReserveScope"/> does, as soon as the budget has room for it. The order of requests is that of <see cref="RentAsync{TPixel}"/>.
    /// </summary>
    /// <param name="bytes">Bytes to reserve; at least 1.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The scope. The caller disposes it. A forgotten scope gives its part back when it is collected, and counts as leaked.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// The bytes are more than the whole budget: it would wait forever. Or <see cref="PixelAllocatorOptions.AsyncRentTimeout"/> has passed.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. Nothing was rented.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ValueTask<RentScope> ReserveScopeAsync(long bytes, CancellationToken cancellationToken = default) =>
        ReserveScopeInAsync(null, bytes, cancellationToken);

    internal RentScope CreateScopeIn(RentScope? outer, long maxBytes)
    {
        CheckCharge(nameof(maxBytes), maxBytes);
        return new RentScope(this, outer, new MemoryBudget(maxBytes, Requests.BudgetOf(outer?.Payer), isReservation: false));
    }

    internal RentScope ReserveScopeIn(RentScope? outer, long bytes)
    {
        CheckCharge(nameof(bytes), bytes);
        return MemoryRequests.Hand(Requests.TakeCharge(outer?.Payer, bytes, reserve: true), guard => new RentScope(this, outer, guard));
    }

    internal ValueTask<RentScope> ReserveScopeInAsync(RentScope? outer, long bytes, CancellationToken cancellationToken)
    {
        CheckCharge(nameof(bytes), bytes);
        cancellationToken.ThrowIfCancellationRequested();
        return Requests.TryTakeCharge(outer?.Payer, bytes, reserve: true) is { } guard
            ? new ValueTask<RentScope>(RentScope.Own(outer, MemoryRequests.Hand(guard, guard => new RentScope(this, outer, guard))))
            : Requests.ReserveAsync(outer?.Payer, bytes, guard => RentScope.Own(outer, new RentScope(this, outer, guard)), cancellationToken);
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
