using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>
/// A tier of pooled blocks: wherever they lie, or in runs, for contiguous memory and for rows that are longer than a block. What its stripe cannot serve from credit and idle memory at once is charged
/// first, and then got from anywhere.
/// </summary>
/// <param name="pool">The depot of guards and blocks, and the accounts.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
/// <param name="inOnePiece">Whether the blocks of a rent have to lie side by side.</param>
internal class PooledTier(BlockPool pool, MemoryBudget? budget, bool inOnePiece) : AllocatorTier(pool, budget)
{
    public sealed override string? SourceOf(LifetimeGuard guard) => guard.FreshBytes == 0 ? "Hit" : "Miss";

    public sealed override void GiveBack(LifetimeGuard guard)
    {
        FreshPages.End(guard, Pool.Source, Pool.Accounts);
        guard.ClearForOthers();
        long bytes = guard.HeldBytes;
        MemoryBudget? payee = guard.TakePayee();
        long credit = payee is null ? OwnCredit(bytes) : 0;
        try
        {
            Pool.Return(guard, credit, inOnePiece ? (int)(bytes / Pool.BlockBytes) : 1);
        }
        finally
        {
            payee?.Release(bytes);
        }
    }

    /// <summary>What every rent does that the stripe could not serve.</summary>
    /// <param name="count">Blocks; for a run as <see cref="BlockPool.RunLength"/> says.</param>
    /// <param name="payer">What pays for them, if anything does.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 otherwise.</param>
    /// <returns>Null: with needed bytes the budget has no room, without any the pool is full.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public LifetimeGuard? TryTakeSlowly(int count, RentBudget? payer, out long neededBytes)
    {
        neededBytes = 0;
        long bytes = (long)count * Pool.BlockBytes;
        if (payer == Budget && TryTakeIdle(count, OwnCredit(bytes)) is { } idle)
        {
            return idle;
        }

        if (payer is not null && bytes > Pool.MaxPooledBytes)
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
            guard = (payer is null ? null : TryTakeIdle(count, credit: 0)) ?? Pool.TryGather(this, count, inOnePiece);
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

    // What is idle in one stripe, whichever. No credit is needed for what is charged already, or without a budget. Null when no stripe has all of it.
    private LifetimeGuard? TryTakeIdle(int count, long credit) =>
        inOnePiece ? Pool.Depot.TryRentRun(this, count, credit) : Pool.TryRentAnywhere(this, count, credit);
}
