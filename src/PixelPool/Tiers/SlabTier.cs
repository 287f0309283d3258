using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>
/// Small unmanaged pieces, cut from pooled blocks: two size classes per doubling from 4 KiB to a quarter of a block, so that a piece is at most half as
/// large again as what it holds. The allocator's budget pays for whole blocks, those of scopes for the pieces.
/// </summary>
internal sealed class SlabTier : AllocatorTier
{
    private const int SmallestBytes = 4096;

    private readonly SlabSizeClass[] _classes;

    public SlabTier(BlockPool pool, MemoryBudget? budget = null)
        : base(pool, budget)
    {
        var classes = new List<SlabSizeClass>();
        for (int bytes = SmallestBytes; bytes <= pool.BlockBytes / 4; bytes *= 2)
        {
            classes.Add(new SlabSizeClass(pool, bytes, budget));
            int between = bytes + (bytes / 2);
            if (between % SmallestBytes == 0 && between <= pool.BlockBytes / 4)
            {
                classes.Add(new SlabSizeClass(pool, between, budget));
            }
        }

        _classes = [.. classes];
    }

    /// <summary>Whether slabs serve small images.</summary>
    /// <remarks>Rows of an array cannot be aligned: the collector moves it. Its first byte lies on a multiple of a pointer's size.</remarks>
    public static bool Serves(PixelAllocatorOptions options, int pointerBytes) =>
        options.SmallBuffers == SmallBufferStrategy.Slab
        || (options.SmallBuffers == SmallBufferStrategy.ArrayPool && options.RowAlignmentBytes > pointerBytes);

    public override string SourceOf(LifetimeGuard guard) => "Small";

    /// <summary>The smallest class that holds <paramref name="bytes"/>, or null when they are more than a quarter of a block.</summary>
    public SlabSizeClass? Find(long bytes)
    {
        foreach (SlabSizeClass candidate in _classes)
        {
            if (bytes <= candidate.PieceBytes)
            {
                return candidate;
            }
        }

        return null;
    }

    /// <summary>Bytes of the piece that serves <paramref name="bytes"/>; 0 when a whole block does.</summary>
    public long GetHeldBytes(long bytes) => Find(bytes)?.PieceBytes ?? 0;

    /// <summary>Takes a piece.</summary>
    /// <param name="sizeClass">Its size.</param>
    /// <param name="payer">What pays for it, if anything does.</param>
    /// <returns>Null: the pool is full, or the budget has no room for a piece, or for a block to cut.</returns>
    public LifetimeGuard? TryTake(SlabSizeClass sizeClass, RentBudget? payer)
    {
        if (payer is not null && !payer.TryCharge(sizeClass.PieceBytes, belowRoot: true))
        {
            return null;
        }

        LifetimeGuard? guard = null;
        bool held = false;
        try
        {
            guard = Pool.TakeGuard();
            if (!sizeClass.TryTake(out Slab slab, out nint address))
            {
                return null;
            }

            guard.HoldPiece(this, address, sizeClass.PieceBytes, slab);
            guard.SetPayee(Remembered(payer));
            held = true;
        }
        finally
        {
            if (!held)
            {
                payer?.Refund(sizeClass.PieceBytes, belowRoot: true);
                if (guard is not null)
                {
                    Pool.ParkGuard(guard);
                }
            }
        }

        Pool.Accounts.Count(new StripeCounters { SmallRents = 1 });
        return guard;
    }

    public override void GiveBack(LifetimeGuard guard)
    {
        guard.ClearForOthers();
        long bytes = guard.HeldBytes;
        MemoryBudget? payee = guard.TakePayee();
        try
        {
            ((Slab)guard.TakeAttachment()!).Return(guard.Blocks[0]);
        }
        finally
        {
            Pool.ParkGuard(guard);
            payee?.Release(bytes, belowRoot: true);
        }
    }
}
