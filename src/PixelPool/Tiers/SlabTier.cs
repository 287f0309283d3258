using System.Numerics;
using System.Runtime.CompilerServices;
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
    private readonly int _alignmentShift;
    private readonly int _thirds;

    /// <param name="pool">The depot of guards and blocks, and the accounts.</param>
    /// <param name="budget">The allocator's budget, if it has one.</param>
    /// <param name="rowAlignmentBytes">What every piece has to start on a multiple of.</param>
    public SlabTier(BlockPool pool, MemoryBudget? budget = null, int rowAlignmentBytes = LeastAlignmentBytes)
        : base(pool, budget)
    {
        int alignment = Math.Max(LeastAlignmentBytes, rowAlignmentBytes);
        _alignmentShift = BitOperations.Log2((uint)alignment);
        _classes = new SlabSizeClass[SizeOf(pool.BlockBytes / 2) + 1];
        for (int i = 0; i < _classes.Length; i++)
        {
            _classes[i] = new SlabSizeClass(pool, BytesOf(i), budget);
        }

        // Of three eighths of a block two pieces fit, as of halves. Of thirds three do.
        _thirds = _classes.Length - 2;
        _classes[_thirds] = new SlabSizeClass(pool, pool.BlockBytes / 3 / alignment * alignment, budget);
    }

    public override string SourceOf(LifetimeGuard guard) => "Small";

    /// <summary>Whether threads may keep pieces: with a budget, which pays for the blocks that have pieces in use, they do not.</summary>
    public bool Keeps => Budget is null;

    /// <summary>The smallest class that holds <paramref name="bytes"/>: at most half a block.</summary>
    public SlabSizeClass Find(long bytes) => _classes[SizeOf(bytes)];

    /// <summary>As which size a thread keeps the smallest piece of so many bytes; <see cref="Magazines.None"/> if it does not.</summary>
    /// <param name="bytes">At most half a block.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int CachedSizeOf(int bytes)
    {
        int size = SizeOf(bytes);
        return size < Magazines.FirstOfArrays ? size : Magazines.None;
    }

    /// <summary>Ends the common rent of a piece that may be kept, if the calling thread keeps it for its next one.</summary>
    public bool TryCache(LifetimeGuard guard)
    {
        int size = CachedSizeOf((int)guard.LastBlockBytes);
        return size != Magazines.None && Pool.Depot.Caches.Mine is { } cache && cache.TryReturn(guard, size);
    }

    /// <summary>Takes a piece.</summary>
    /// <param name="bytes">The bytes that it has to hold: at most half a block.</param>
    /// <param name="payer">What pays for it, if anything does.</param>
    /// <returns>Null: the pool is full, or the budget has no room for a piece, or for a block to cut.</returns>
    public LifetimeGuard? TryTake(long bytes, RentBudget? payer)
    {
        SlabSizeClass sizeClass = Find(bytes);
        if (payer is not null && !payer.TryCharge(sizeClass.PieceBytes, belowRoot: true))
        {
            return null;
        }

        LifetimeGuard? guard = null;
        Slab? slab = null;
        nint address = 0;
        try
        {
            if (payer?.TakePiece() is { } piece)
            {
                (slab, address) = ((Slab)piece.Slab, piece.Address);
            }

            if (slab is not null || sizeClass.TryTake(out slab, out address))
            {
                guard = Pool.TakeGuard(smallRents: 1, sizeClass.PieceBytes);
                guard.HoldPiece(this, address, sizeClass.PieceBytes, slab);
                guard.SetPayee(Remembered(payer));
            }

            return guard;
        }
        finally
        {
            if (guard is null)
            {
                slab?.Return(address);
                payer?.Release(sizeClass.PieceBytes, belowRoot: true);
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
            Return(guard, bytes);
        }
        finally
        {
            payee?.Release(bytes, belowRoot: true);
        }
    }

    public override void EvictCached(LifetimeGuard guard) => Return(guard, rentedBytes: 0);

    private void Return(LifetimeGuard guard, long rentedBytes)
    {
        var slab = (Slab)guard.TakeAttachment()!;
        nint address = guard.FirstPiece;

        // First, and it never throws: the piece is counted as idle before its block can go.
        Pool.ParkGuard(guard, rentedBytes);
        slab.Return(address);
    }

    // The index of the smallest class that holds so many bytes.
    private int SizeOf(long bytes)
    {
        // Whole multiples of the alignment that are not enough.
        uint less = bytes == 0 ? 0 : (uint)(bytes - 1) >> _alignmentShift;
        if (less < 2)
        {
            return (int)less;
        }

        int log = BitOperations.Log2(less);
        int size = (2 * log) + (int)((less >> (log - 1)) & 1);
        return size == _thirds && bytes > _classes[size].PieceBytes ? size + 1 : size;
    }

    // 1, 2, 3, 4, 6, 8, 12, 16, … times the alignment: two sizes per doubling. The last but one is a third of a block instead. All are multiples of the alignment.
    private int BytesOf(int index) => (index < 2 ? index + 1 : ((index & 1) == 0 ? 3 : 4) << ((index / 2) - 1)) << _alignmentShift;
}
