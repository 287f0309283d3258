using PixelPool.Budgets;
using PixelPool.Lifetime;

namespace PixelPool;

/// <content>Memory of others that shares the budget.</content>
public sealed partial class PixelAllocator
{
    private static readonly Func<PixelAllocator, MemoryBudget?, long, LifetimeGuard> s_holdExternal =
        static (allocator, payee, bytes) => allocator.HoldExternal(payee, bytes);

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
    /// <returns>The charge; to be disposed when that memory is freed.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> is over.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ExternalCharge ChargeExternal(long bytes) => ChargeExternalFor(null, bytes);

    internal ExternalCharge ChargeExternalFor(RentScope? scope, long bytes) =>
        Hand(Charged(scope, bytes, s_holdExternal), static (_, guard) => new ExternalCharge(guard));

    // From the moment it holds them the guard gives the bytes back: nothing may fail after that.
    private LifetimeGuard HoldExternal(MemoryBudget? payee, long bytes)
    {
        LifetimeGuard guard = _pool.TakeGuard();
        bool held = false;
        try
        {
            _pool.HoldExternal(bytes);
            held = true;
        }
        finally
        {
            if (!held)
            {
                _pool.EndExternal(bytes);
                _pool.ParkGuard(guard);
            }
        }

        guard.HoldExternal(bytes);
        guard.SetBudget(payee);
        return guard;
    }
}
