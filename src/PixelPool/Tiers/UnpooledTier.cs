using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>Pieces from the system that go back to it when they are returned: what the pool has no room for.</summary>
internal sealed class UnpooledTier(BlockPool pool, MemoryBudget? budget, bool useHugePages) : SystemTier(pool, budget)
{
    /// <summary>Takes pieces, the last one no larger than needed.</summary>
    /// <param name="pieces">How many.</param>
    /// <param name="pieceBytes">Bytes of each but the last.</param>
    /// <param name="lastPieceBytes">Bytes of the last.</param>
    /// <param name="payer">What pays for them, if anything does.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 otherwise.</param>
    /// <returns>Null when the budget has no room: nothing was taken.</returns>
    /// <exception cref="OutOfMemoryException">The system has no memory. Nothing was taken.</exception>
    public LifetimeGuard? TryTake(int pieces, long pieceBytes, long lastPieceBytes, RentBudget? payer, out long neededBytes)
    {
        // No elements still are a rent, and no system gives zero bytes.
        lastPieceBytes = Math.Max(1, lastPieceBytes);
        long bytes = (pieceBytes * (pieces - 1)) + lastPieceBytes;
        LifetimeGuard? guard = TryBegin(bytes, payer, (this, pieces, pieceBytes, lastPieceBytes, bytes), Hold);
        neededBytes = guard is null ? bytes : 0;
        return guard;
    }

    public override void GiveBack(LifetimeGuard guard)
    {
        FreshPages.End(guard, Pool.Source, Pool.Accounts);
        guard.ClearForOthers();
        Pool.ReleaseUnpooled(guard.Pieces, guard.BlockBytes, guard.LastBlockBytes);
        Drop(guard);
    }

    private static bool Hold(LifetimeGuard guard, (UnpooledTier Tier, int Count, long Bytes, long Last, long All) memory)
    {
        // First: the table of what can never be is large, too.
        memory.Tier.Pool.Recovery.CheckFits(memory.All);
        Span<nint> pieces = guard.Reserve(memory.Count);
        memory.Tier.Allocate(pieces, memory.Bytes, memory.Last, memory.All);
        guard.SetFresh(memory.All);
        guard.HoldBlocks(memory.Tier, pieces, memory.Bytes, memory.Last);
        return true;
    }

    private void Allocate(Span<nint> pieces, long pieceBytes, long lastPieceBytes, long bytes)
    {
        for (int attempt = 0; ; attempt++)
        {
            int taken = 0;
            while (taken < pieces.Length && Pool.Source.TryAllocate(taken == pieces.Length - 1 ? lastPieceBytes : pieceBytes, useHugePages, out pieces[taken]))
            {
                taken++;
            }

            if (taken == pieces.Length)
            {
                return;
            }

            // The last piece was not reached: those before it are all of the same size.
            Pool.ReleaseUnpooled(pieces.Slice(0, taken), pieceBytes, pieceBytes);
            Pool.Recovery.MakeRoom(attempt, bytes, pieces.Length);
        }
    }
}
