using PixelPool.Budgets;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;

namespace PixelPool;

/// <content>Scopes with a budget of their own.</content>
public sealed partial class PixelAllocator
{
    private static readonly Func<PixelAllocator, MemoryBudget?, long, LifetimeGuard> s_holdReservation =
        static (allocator, payee, bytes) => allocator.HoldReservation(payee, bytes);

    private static readonly Func<PixelAllocator, LifetimeGuard, RentScope> s_open =
        static (allocator, guard) => new RentScope(allocator, guard.Reservation!, new BudgetReservation(guard));

    /// <summary>
    /// Opens a scope that may rent at most <paramref name="maxBytes"/> at once: for a tenant, or a request that must not take all. What it rents counts against
    /// the scope and against <see cref="PixelAllocatorOptions.MaxRentedBytes"/>.
    /// </summary>
    /// <param name="maxBytes">The most bytes rented and charged at once; at least 1. It may be more than the allocator has: then that is what limits it.</param>
    /// <returns>The scope; to be disposed.</returns>
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
    /// <returns>The scope; to be disposed. One that is forgotten gives its part back when it is collected, and counts as leaked.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> is over.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public RentScope ReserveScope(long bytes) => ReserveScopeIn(null, bytes);

    /// <summary>
    /// <see cref="ReserveScope"/> as soon as the budget has room for it, first come, first served, as <see cref="RentAsync{TPixel}"/>.
    /// </summary>
    /// <param name="bytes">Bytes to reserve; at least 1.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The scope; to be disposed. One that is forgotten gives its part back when it is collected, and counts as leaked.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The bytes are more than the whole budget: it would wait for ever.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. Nothing was taken.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ValueTask<RentScope> ReserveScopeAsync(long bytes, CancellationToken cancellationToken = default) =>
        ReserveScopeInAsync(null, bytes, cancellationToken);

    internal RentScope CreateScopeIn(RentScope? outer, long maxBytes)
    {
        CheckCharge(nameof(maxBytes), maxBytes);
        return new RentScope(this, new MemoryBudget(maxBytes, BudgetOf(outer), isReservation: false), reservation: null);
    }

    internal RentScope ReserveScopeIn(RentScope? outer, long bytes) => Hand(Charged(outer, bytes, s_holdReservation), s_open);

    internal ValueTask<RentScope> ReserveScopeInAsync(RentScope? outer, long bytes, CancellationToken cancellationToken)
    {
        CheckCharge(nameof(bytes), bytes);
        cancellationToken.ThrowIfCancellationRequested();
        return TryCharged(BudgetOf(outer), bytes, s_holdReservation) is { } guard
            ? new ValueTask<RentScope>(Hand(guard, s_open))
            : ReserveScopeLaterAsync(outer, bytes, cancellationToken);
    }

    private async ValueTask<RentScope> ReserveScopeLaterAsync(RentScope? outer, long bytes, CancellationToken cancellationToken)
    {
        // Who asks is on the stack now. After the wait it is whoever returned the memory.
        RentStack? origin = _pool.Tracking.CaptureOrigin();
        using BudgetGrant grant = await WaitAsync(outer, bytes, cancellationToken).ConfigureAwait(false);
        return Hand(TryCharged(grant, bytes, s_holdReservation)!, (allocator, guard) =>
        {
            allocator._pool.Tracking.Attribute(guard, origin);
            return s_open(allocator, guard);
        });
    }

    private LifetimeGuard HoldReservation(MemoryBudget? payee, long bytes)
    {
        var reservation = new MemoryBudget(bytes, payee, isReservation: true);
        LifetimeGuard guard = _pool.TakeGuard();
        guard.HoldReservation(reservation);
        return guard;
    }
}
