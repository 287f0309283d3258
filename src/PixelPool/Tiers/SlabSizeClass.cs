using PixelPool.Budgets;
using PixelPool.Pooling;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>
/// The slabs of one piece size. A slab whose last piece comes back gives its block to the pool at once, where idle memory is kept and
/// trimmed: slabs keep nothing of their own but one table for the next slab. The budget pays for whole blocks, because they are what is held.
/// </summary>
internal sealed class SlabSizeClass(BlockPool pool, int pieceBytes, MemoryBudget? budget = null)
{
    private readonly UninterruptibleLock _gate = new();

    // Slabs with free pieces, linked, the last used first: nothing is allocated to keep them.
    private Slab? _open;
    private Slab? _spare;

    /// <summary>Bytes of one piece; a multiple of 4,096.</summary>
    public int PieceBytes { get; } = pieceBytes;

    /// <returns>False when the pool is full, or the budget has no room for a block: nothing was taken.</returns>
    public bool TryTake(out Slab slab, out nint address)
    {
        if (TryTakeOpen(out slab!, out address))
        {
            return true;
        }

        // The table is made before the block is taken, so that no block is lost when there is no memory for it.
        slab = TakeSpare();
        Span<nint> block = stackalloc nint[1];
        if (!TryGather(block))
        {
            return false;
        }

        using (_gate.Hold())
        {
            slab.Open(block[0]);
            address = slab.Take();
            if (!slab.IsFull)
            {
                Link(slab);
            }

            return true;
        }
    }

    public void Return(Slab slab, nint address)
    {
        nint emptied = 0;
        using (_gate.Hold())
        {
            if (slab.IsFull)
            {
                Link(slab);
            }

            slab.Put(address);
            if (slab.IsEmpty)
            {
                emptied = slab.Block;
                Unlink(slab);
                _spare = slab;
            }
        }

        if (emptied != 0)
        {
            // Not a collection expression: on netstandard2.0 that would be an array.
            Span<nint> block = stackalloc nint[1];
            block[0] = emptied;
            try
            {
                pool.Return(block);
            }
            finally
            {
                budget?.Release(pool.BlockBytes);
            }
        }
    }

    private bool TryTakeOpen(out Slab? slab, out nint address)
    {
        using (_gate.Hold())
        {
            slab = _open;
            if (slab is null)
            {
                address = 0;
                return false;
            }

            address = slab.Take();
            if (slab.IsFull)
            {
                Unlink(slab);
            }

            return true;
        }
    }

    private Slab TakeSpare()
    {
        using (_gate.Hold())
        {
            Slab? spare = _spare;
            _spare = null;
            return spare ?? new Slab(this, pool.BlockBytes / PieceBytes);
        }
    }

    private bool TryGather(Span<nint> block)
    {
        if (budget is not null && !budget.TryCharge(pool.BlockBytes))
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
                budget?.Release(pool.BlockBytes);
            }
        }
    }

    private void Link(Slab slab)
    {
        slab.Previous = null;
        slab.Next = _open;
        if (_open is not null)
        {
            _open.Previous = slab;
        }

        _open = slab;
    }

    private void Unlink(Slab slab)
    {
        if (slab.Previous is null)
        {
            _open = slab.Next;
        }
        else
        {
            slab.Previous.Next = slab.Next;
        }

        if (slab.Next is not null)
        {
            slab.Next.Previous = slab.Previous;
        }

        slab.Previous = slab.Next = null;
    }
}
