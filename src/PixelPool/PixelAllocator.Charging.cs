using PixelPool.Budgets;
using PixelPool.Lifetime;

namespace PixelPool;

/// <content>Bytes that are charged although the pool gives no memory for them. A guard holds them, so that they are listed, and come back when they are forgotten.</content>
public sealed partial class PixelAllocator
{
    // At once, or after waiting as long as RentTimeout says.
    private LifetimeGuard Charged(RentScope? scope, long bytes, Func<PixelAllocator, MemoryBudget?, long, LifetimeGuard> hold)
    {
        CheckCharge(nameof(bytes), bytes);
        if (TryCharged(BudgetOf(scope), bytes, hold) is { } guard)
        {
            return guard;
        }

        using BudgetGrant grant = Wait(scope, bytes);
        return TryCharged(grant, bytes, hold)!;
    }

    // Null when there is no room. The guard owns the charge; if none can hold it, it is taken back.
    private LifetimeGuard? TryCharged(RentBudget? payer, long bytes, Func<PixelAllocator, MemoryBudget?, long, LifetimeGuard> hold)
    {
        if (payer is not null && !payer.TryCharge(bytes))
        {
            return null;
        }

        LifetimeGuard? guard = null;
        try
        {
            guard = hold(this, payer?.Payee, bytes);
            return guard;
        }
        finally
        {
            if (guard is null)
            {
                payer?.Refund(bytes);
            }
        }
    }

    // What the application gets for the guard. If it can not be made, the guard lets go.
    private THandle Hand<THandle>(LifetimeGuard guard, Func<PixelAllocator, LifetimeGuard, THandle> make)
    {
        bool handed = false;
        try
        {
            if (guard.IsToBeLookedAt)
            {
                _pool.Tracking.Look(guard);
            }

            THandle handle = make(this, guard);
            handed = true;
            return handle;
        }
        finally
        {
            if (!handed)
            {
                guard.TryReleaseOwner(guard.Version);
            }
        }
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
