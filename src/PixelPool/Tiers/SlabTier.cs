using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>
/// Small unmanaged pieces, cut from pooled blocks, up to half a block. The allocator's budget pays for whole blocks, those of scopes for the pieces.
/// </summary>
internal sealed class SlabTier : AllocatorTier
{
    /// <summary>Every piece starts on a multiple of so many bytes: a cache line.</summary>
    public const int LeastAlignmentBytes = 64;

    private readonly SlabSizeClass[] _classes;
    private readonly int _alignment;

    /// <param name="pool">The depot of guards and blocks, and the accounts.</param>
    /// <param name="budget">The allocator's budget, if it has one.</param>
    /// <param name="rowAlignmentBytes">What every piece has to start on a multiple of.</param>
    public SlabTier(BlockPool pool, MemoryBudget? budget = null, int rowAlignmentBytes = LeastAlignmentBytes)
        : base(pool, budget)
    {
        _alignment = Math.Max(LeastAlignmentBytes, rowAlignmentBytes);
        var classes = new List<SlabSizeClass>();
        while (SizeOf(classes.Count) is var bytes && bytes <= pool.BlockBytes / 2)
        {
            classes.Add(new SlabSizeClass(pool, bytes, budget));
        }

        _classes = [.. classes];
    }

    public override string SourceOf(LifetimeGuard guard) => "Small";

    /// <summary>The smallest class that holds <paramref name="bytes"/>, or null when they are more than half a block.</summary>
    public SlabSizeClass? Find(long bytes)
    {
        if (bytes > Pool.BlockBytes / 2)
        {
            return null;
        }

        // Whole multiples of the alignment that are not enough.
        uint less = bytes == 0 ? 0 : (uint)(bytes - 1) / (uint)_alignment;
        if (less < 2)
        {
            return _classes[less];
        }

        int log = FloorLog2(less);
        return _classes[(2 * log) + (int)((less >> (log - 1)) & 1)];
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
            return guard;
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
    }

    public override void GiveBack(LifetimeGuard guard)
    {
        guard.ClearForOthers();
        long bytes = guard.HeldBytes;
        MemoryBudget? payee = guard.TakePayee();
        try
        {
            ((Slab)guard.TakeAttachment()!).Return(guard.FirstPiece);
        }
        finally
        {
            Pool.ParkGuard(guard);
            payee?.Release(bytes, belowRoot: true);
        }
    }

    // 1, 2, 3, 4, 6, 8, 12, 16, … times the alignment: two sizes per doubling that are both multiples of it.
    private int SizeOf(int index) => _alignment * (index < 2 ? index + 1 : ((index & 1) == 0 ? 3 : 4) << ((index / 2) - 1));

    private static int FloorLog2(uint value)
    {
#if NET
        return System.Numerics.BitOperations.Log2(value);
#else
        int log = 0;
        while (value >> log > 1)
        {
            log++;
        }

        return log;
#endif
    }
}
