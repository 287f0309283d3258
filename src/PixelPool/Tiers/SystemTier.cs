using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>Memory straight from the system, which goes back to it with the rent. It counts as unpooled.</summary>
internal abstract class SystemTier(BlockPool pool, MemoryBudget? budget) : AllocatorTier(pool, budget)
{
    public sealed override string SourceOf(LifetimeGuard guard) => "Unpooled";

    /// <summary>Begins a rent as <see cref="AllocatorTier.TryBegin"/> does, and counts it.</summary>
    protected LifetimeGuard? TryBegin<TMemory>(long bytes, RentBudget? payer, TMemory memory, Func<LifetimeGuard, TMemory, bool> hold)
    {
        LifetimeGuard? guard = TryBegin(bytes, bytes, payer, external: false, memory, hold);
        if (guard is not null)
        {
            guard.RequestSample();
            Pool.Accounts.OnAllocated(bytes);
            Pool.Accounts.Count(new StripeCounters { UnpooledRents = 1, RentedBytes = bytes });
        }

        return guard;
    }

    /// <summary>Ends a rent whose memory is the system's again, and tells of it.</summary>
    protected void Drop(LifetimeGuard guard)
    {
        long bytes = guard.HeldBytes;
        CollectorPressure.Remove(bytes);
        End(guard);
        Pool.Accounts.Listener.OnDropped(bytes, "Unpooled");
    }
}
