using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>Pooled blocks that lie side by side: contiguous memory, and rows that are longer than a block.</summary>
internal sealed class RunTier(BlockPool pool, MemoryBudget? budget) : AllocatorTier(pool, budget)
{
    public override string SourceOf(LifetimeGuard guard) => guard.FreshBytes == 0 ? "Hit" : "Miss";

    /// <summary>Takes a run.</summary>
    /// <param name="atLeast">Blocks that it must have.</param>
    /// <param name="payer">What pays for it, if anything does: then the run has as many blocks as it is charged for.</param>
    /// <param name="reusedBytes">How many bytes, the first ones, somebody may have written to before.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 otherwise.</param>
    /// <returns>Null without needed bytes: the pool is full.</returns>
    public LifetimeGuard? TryTake(int atLeast, RentBudget? payer, out long reusedBytes, out long neededBytes)
    {
        int count = Pool.RunLength(atLeast);
        bool exactly = payer is not null;
        long bytes = (long)count * Pool.BlockBytes;
        if (payer == Budget && Pool.TryRentRun(this, count, exactly, CreditOf(payee: null, bytes)) is { } guard)
        {
            reusedBytes = long.MaxValue;
            neededBytes = 0;
            return guard;
        }

        return TryGather(count, exactly, bytes, payer, out reusedBytes, out neededBytes);
    }

    public override void GiveBack(LifetimeGuard guard)
    {
        if (guard.FreshBytes != 0)
        {
            FreshPages.End(guard, Pool.Source, Pool.Accounts);
        }

        guard.ClearForOthers();
        long bytes = guard.HeldBytes;
        MemoryBudget? payee = guard.TakePayee();
        Pool.Return(guard, new BlockRun(guard.Blocks[0], (int)(bytes / Pool.BlockBytes)), CreditOf(payee, bytes));
        payee?.Release(bytes);
    }

    private LifetimeGuard? TryGather(int count, bool exactly, long bytes, RentBudget? payer, out long reusedBytes, out long neededBytes)
    {
        neededBytes = reusedBytes = 0;
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
            reusedBytes = long.MaxValue;
            guard = payer is null ? null : Pool.TryRentRun(this, count, exactly, credit: 0);
            guard ??= Pool.TryGatherRun(this, count, exactly, out reusedBytes);
            guard?.SetPayee(Remembered(payer));
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
}
