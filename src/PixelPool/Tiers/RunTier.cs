using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>Pooled blocks that lie side by side: contiguous memory, and rows that are longer than a block.</summary>
internal sealed class RunTier(BlockPool pool, MemoryBudget? budget) : PooledTier(pool, budget)
{
    /// <summary>Takes a run.</summary>
    /// <param name="atLeast">Blocks that it must have.</param>
    /// <param name="payer">What pays for it, if anything does.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 otherwise.</param>
    /// <returns>Null: with needed bytes the budget has no room, without any the pool is full.</returns>
    public LifetimeGuard? TryTake(int atLeast, RentBudget? payer, out long neededBytes) =>
        TryTakeSlowly(Pool.RunLength(atLeast), payer, out neededBytes);

    protected override void Return(LifetimeGuard guard, long credit) =>
        Pool.Return(guard, credit, (int)(guard.HeldBytes / Pool.BlockBytes));

    protected override LifetimeGuard? TryTakeIdle(int count, long credit) => Pool.Depot.TryRentRun(this, count, credit);

    protected override LifetimeGuard? TryGather(int count) => Pool.TryGather(this, count, inOnePiece: true);
}
