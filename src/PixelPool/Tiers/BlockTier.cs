using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>Pooled blocks, wherever they lie: the common rent. It begins in one method and ends in one, without a virtual call.</summary>
/// <param name="pool">The depot of guards and blocks, and the accounts.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
internal sealed class BlockTier(BlockPool pool, MemoryBudget? budget) : PooledTier(pool, budget, inOnePiece: false)
{
    // Beside the pool, so that a return has less to look up.
    private readonly ThreadCaches _caches = pool.Depot.Caches;

    /// <summary>Ends the common rent: nothing but its memory has to go back.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void GiveBackPlain(LifetimeGuard guard) => Pool.Return(guard, OwnCredit(guard.HeldBytes));

    /// <summary>Ends the common rent of one block, if the calling thread keeps it for its next one.</summary>
    public bool TryCache(LifetimeGuard guard) => guard.BlockCount == 1 && _caches.Mine is { } cache && cache.TryReturn(guard, Magazines.Block);

    /// <summary>Takes blocks.</summary>
    /// <param name="count">How many.</param>
    /// <param name="payer">What pays for them, if anything does.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 otherwise.</param>
    /// <returns>Null: with needed bytes the budget has no room, without any the pool is full.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryTake(int count, RentBudget? payer, out long neededBytes)
    {
        // What the allocator's own budget pays for is mostly charged already: the stripe has credit for what came back to it.
        if (payer == Budget)
        {
            long bytes = (long)count * Pool.BlockBytes;
            if (Pool.Depot.Current.TryRent(this, count, OwnCredit(bytes)) is { } guard)
            {
                neededBytes = 0;
                return guard;
            }
        }

        return TryTakeSlowly(count, payer, out neededBytes);
    }
}
