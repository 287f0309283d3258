using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>A tier of pooled blocks, alone or side by side. What its stripe cannot serve from credit and idle memory at once is charged first, and then got from anywhere.</summary>
internal abstract class PooledTier(BlockPool pool, MemoryBudget? budget) : AllocatorTier(pool, budget)
{
    public sealed override string? SourceOf(LifetimeGuard guard) => guard.FreshBytes == 0 ? "Hit" : "Miss";

    public sealed override void GiveBack(LifetimeGuard guard)
    {
        if (guard.FreshBytes != 0)
        {
            FreshPages.End(guard, Pool.Source, Pool.Accounts);
        }

        guard.ClearForOthers();
        long bytes = guard.HeldBytes;
        MemoryBudget? payee = guard.TakePayee();
        try
        {
            Return(guard, payee is null ? OwnCredit(bytes) : 0);
        }
        finally
        {
            payee?.Release(bytes);
        }
    }

    /// <summary>Makes what a guard holds idle, and parks the guard.</summary>
    /// <param name="guard">The guard.</param>
    /// <param name="credit">Bytes of the allocator's budget that are free now; 0 when another one is released, or there is none.</param>
    protected abstract void Return(LifetimeGuard guard, long credit);

    /// <summary>Takes blocks that are idle in one stripe, whichever.</summary>
    /// <param name="count">How many.</param>
    /// <param name="credit">Bytes that the stripe has to have credit for; 0 when they were charged, or there is no budget.</param>
    /// <returns>Null when no stripe has all of it.</returns>
    protected abstract LifetimeGuard? TryTakeIdle(int count, long credit);

    /// <summary>Takes blocks of any stripe, and of the system; they are charged already.</summary>
    /// <param name="count">How many.</param>
    /// <param name="reusedBytes">How many bytes, the first ones, somebody may have written to before.</param>
    /// <returns>Null: the pool is full.</returns>
    protected abstract LifetimeGuard? TryGather(int count, out long reusedBytes);

    /// <summary>What every rent does that the stripe could not serve.</summary>
    /// <param name="count">Blocks.</param>
    /// <param name="payer">What pays for them, if anything does.</param>
    /// <param name="reusedBytes">How many bytes, the first ones, somebody may have written to before.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 otherwise.</param>
    /// <returns>Null: with needed bytes the budget has no room, without any the pool is full.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected LifetimeGuard? TryTakeSlowly(int count, RentBudget? payer, out long reusedBytes, out long neededBytes)
    {
        neededBytes = 0;
        reusedBytes = long.MaxValue;
        long bytes = (long)count * Pool.BlockBytes;
        bool charged = payer is not null;
        if (payer == Budget && TryTakeIdle(count, OwnCredit(bytes)) is { } idle)
        {
            return idle;
        }

        if (charged && bytes > Pool.MaxPooledBytes)
        {
            // The pool never has them: the budget is asked for the bytes of the tier that serves.
            return null;
        }

        neededBytes = Charge(payer, bytes);
        if (neededBytes != 0)
        {
            return null;
        }

        LifetimeGuard? guard = null;
        try
        {
            guard = (charged ? TryTakeIdle(count, credit: 0) : null) ?? TryGather(count, out reusedBytes);
            guard?.SetPayee(Remembered(payer));
            return guard;
        }
        finally
        {
            if (guard is null)
            {
                payer?.Release(bytes);
            }
        }
    }
}
