using PixelPool.Budgets;

namespace PixelPool;

/// <content>Scopes with a budget of their own.</content>
public sealed partial class PixelAllocator
{
    private static readonly Func<PixelAllocator, MemoryBudget?, long, RentScope> s_reserve =
        static (allocator, payee, bytes) => new RentScope(allocator, new MemoryBudget(bytes, payee, isReservation: true));

    /// <summary>
    /// Opens a scope that may rent at most <paramref name="maxBytes"/> at once: for a tenant, or a request that must not take all. What it rents counts against
    /// the scope and against <see cref="PixelAllocatorOptions.MaxRentedBytes"/>.
    /// </summary>
    /// <param name="maxBytes">The most bytes rented at once; at least 1. It may be more than the allocator has: then that is what limits it.</param>
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
    /// <returns>The scope; to be disposed. One that is forgotten gives its part back when it is collected.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> is over.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public RentScope ReserveScope(long bytes) => ReserveScopeIn(null, bytes);

    /// <summary>
    /// <see cref="ReserveScope"/> as soon as the budget has room for it, first come, first served, as <see cref="RentAsync{TPixel}"/>.
    /// </summary>
    /// <param name="bytes">Bytes to reserve; at least 1.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The scope; to be disposed. One that is forgotten gives its part back when it is collected.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The bytes are more than the whole budget: it would wait for ever.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. Nothing was taken.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ValueTask<RentScope> ReserveScopeAsync(long bytes, CancellationToken cancellationToken = default) =>
        ReserveScopeInAsync(null, bytes, cancellationToken);

    internal RentScope CreateScopeIn(RentScope? outer, long maxBytes)
    {
        CheckCharge(nameof(maxBytes), maxBytes);
        return new RentScope(this, new MemoryBudget(maxBytes, BudgetOf(outer), isReservation: false));
    }

    internal RentScope ReserveScopeIn(RentScope? outer, long bytes) => Charged(outer, bytes, s_reserve);

    internal ValueTask<RentScope> ReserveScopeInAsync(RentScope? outer, long bytes, CancellationToken cancellationToken)
    {
        CheckCharge(nameof(bytes), bytes);
        cancellationToken.ThrowIfCancellationRequested();
        return TryCharged(BudgetOf(outer), bytes, s_reserve) is { } scope
            ? new ValueTask<RentScope>(scope)
            : ReserveScopeLaterAsync(outer, bytes, cancellationToken);
    }

    private async ValueTask<RentScope> ReserveScopeLaterAsync(RentScope? outer, long bytes, CancellationToken cancellationToken)
    {
        using BudgetGrant grant = await WaitAsync(outer, bytes, cancellationToken).ConfigureAwait(false);
        return TryCharged(grant, bytes, s_reserve)!;
    }

    // What is made of a charge: at once, or after waiting as long as RentTimeout says.
    private T Charged<T>(RentScope? scope, long bytes, Func<PixelAllocator, MemoryBudget?, long, T> make)
        where T : class
    {
        CheckCharge(nameof(bytes), bytes);
        if (TryCharged(BudgetOf(scope), bytes, make) is { } made)
        {
            return made;
        }

        using BudgetGrant grant = Wait(scope, bytes);
        return TryCharged(grant, bytes, make)!;
    }

    // Null when there is no room. What is made owns the charge; if it can not be made, the charge is taken back.
    private T? TryCharged<T>(RentBudget? payer, long bytes, Func<PixelAllocator, MemoryBudget?, long, T> make)
        where T : class
    {
        if (payer is not null && !payer.TryCharge(bytes))
        {
            return null;
        }

        T? made = null;
        try
        {
            made = make(this, payer?.Payee, bytes);
            return made;
        }
        finally
        {
            if (made is null)
            {
                payer?.Refund(bytes);
            }
        }
    }

    private void CheckCharge(string name, long bytes)
    {
        if (bytes < 1)
        {
            Throw.OutOfRange(name, bytes, $"{name} must be at least 1.");
        }

        if (_pool.IsDisposed)
        {
            Throw.Disposed(nameof(PixelAllocator));
        }
    }
}
