using System.Diagnostics.CodeAnalysis;
using PixelPool.Budgets;
using PixelPool.Pooling;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>The slabs of one piece size, under a lock of their own. The budget pays for whole blocks, because they are what is held.</summary>
/// <param name="pool">Where blocks come from.</param>
/// <param name="index">Its place among all sizes.</param>
/// <param name="pieceBytes">Bytes of one piece: at most half a block. Pieces fill it, or leave less than one behind the last.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
internal sealed partial class SlabSizeClass(BlockPool pool, int index, int pieceBytes, MemoryBudget? budget) : LockedStripe, IPieceSource
{
    // Held while free pieces of a slab are out of it, and how often that began and ended.
    private readonly UninterruptibleLock _discarding = new();
    private int _discardsBegun;
    private int _discardsEnded;

    // Those who wait for the budget, and whom a piece would serve.
    private int _waiting;

    /// <summary>Its place among all sizes: the smallest one is 0.</summary>
    public int Index { get; } = index;

    /// <summary>Bytes of one piece.</summary>
    public int PieceBytes { get; } = pieceBytes;

    /// <summary>Bytes of a block.</summary>
    public int BlockBytes => pool.BlockBytes;

    /// <returns>False when the pool is full, or the budget has no room for a block: nothing was taken.</returns>
    public bool TryTake(out Slab slab, out nint address) => TryTakeFree(out slab!, out address) || TryTakeAnyhow(opens: true, out slab!, out address);

    public void Return(Slab slab, nint address)
    {
        PutBack(slab, address);

        // Whoever gets in line looks for a piece then: one of the two sees the other.
        ServeWaiting();
    }

    public void CountWaiting(int change) => Interlocked.Add(ref _waiting, change);

    public void ServeWaiting()
    {
        while (Volatile.Read(ref _waiting) != 0 && TryTakeAnyhow(opens: false, out Slab? slab, out nint address))
        {
            if (!budget!.TryHand(this, slab!, address))
            {
                Return(slab!, address);
            }
        }
    }

    public void TakeBack(object slab, nint address) => Return((Slab)slab, address);

    private void PutBack(Slab slab, nint address)
    {
        nint emptied = Put(slab, slab.IndexOf(address), out bool isUntimed);
        while (emptied == Awaited)
        {
            // So that the caller's next rent can use the block.
            _discarding.Hold().Dispose();
            emptied = CloseLater(slab);
        }

        if (emptied != 0)
        {
            Span<nint> block = stackalloc nint[1];
            block[0] = emptied;
            pool.Return(block, wereRented: false, budget is null ? 0 : pool.BlockBytes);
        }

        // Last: it is the application's timer.
        if (isUntimed)
        {
            pool.Depot.Caches.Scheduler!.Arm();
        }
    }

    // A piece of a new slab, if that is wanted; otherwise a free one.
    private bool TryTakeAnyhow(bool opens, [NotNullWhen(true)] out Slab? slab, out nint address)
    {
        // Free pieces of a slab may be out of it for a moment: nobody is refused because of that.
        int ended;
        do
        {
            ended = Volatile.Read(ref _discardsEnded);
            if ((opens && TryOpen(out slab, out address)) || TryTakeFree(out slab, out address))
            {
                return true;
            }
        }
        while (AwaitDiscard(ended));

        return false;
    }

    // Cuts another block.
    private bool TryOpen([NotNullWhen(true)] out Slab? slab, out nint address)
    {
        slab = null;
        address = 0;

        // The table is made before the block is taken, so that no block is lost when there is no memory for it.
        Slab table = TakeTable();
        try
        {
            // Not a collection expression: on netstandard2.0 that would be an array.
            Span<nint> block = stackalloc nint[1];
            if (TryGather(block))
            {
                address = Open(table, block[0]);
                slab = table;

                // The other pieces serve others.
                ServeWaiting();
            }

            return slab is not null;
        }
        finally
        {
            if (slab is null)
            {
                KeepTable(table);
            }
        }
    }

    private bool TryGather(Span<nint> block)
    {
        if (budget is null)
        {
            return pool.TryGather(block, countsAsRent: false, out _);
        }

        if (pool.TryTakeCharged(block))
        {
            return true;
        }

        // A charge for a block that cannot be had would refuse others for a moment.
        if (!pool.MayHold(blocks: 1) || !budget.TryCharge(pool.BlockBytes))
        {
            return false;
        }

        bool gathered = false;
        try
        {
            gathered = pool.TryGather(block, countsAsRent: false, out _);
            return gathered;
        }
        finally
        {
            if (!gathered)
            {
                budget.Release(pool.BlockBytes);
            }
        }
    }

    // False when there was no discard since so many had ended.
    private bool AwaitDiscard(int ended)
    {
        if (Volatile.Read(ref _discardsBegun) == ended)
        {
            return false;
        }

        _discarding.Hold().Dispose();
        return true;
    }
}
