using System.Diagnostics.CodeAnalysis;

namespace PixelPool.Tiers;

// What is done under the lock: nothing slow, no block comes or goes meanwhile.
internal sealed partial class SlabSizeClass
{
    // It was the last piece, but free pieces of the slab are out of it: whoever brought the last one waits for them, then calls CloseLater.
    private const nint Awaited = -1;

    // What the tables of slabs without blocks may take together, about.
    private const int MostTableBytes = 32 << 10;

    private readonly int _mostTables = Math.Max(1, MostTableBytes / (512 + (pool.BlockBytes / pieceBytes * sizeof(int))));
    private SlabList _open;
    private SlabList _full;

    // Slabs without blocks: their tables serve again.
    private SlabList _tables;
    private int _tableCount;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    private bool TryTakeFree([NotNullWhen(true)] out Slab? slab, out nint address)
    {
        using (Hold())
        {
            slab = _open.First;
            address = slab is null ? 0 : TakeFrom(slab);
            return slab is not null;
        }
    }

    // A slab without a block.
    private Slab TakeTable()
    {
        using (Hold())
        {
            if (_tables.First is { } slab)
            {
                _tables.Remove(slab);
                _tableCount--;
                return slab;
            }
        }

        return new Slab(this, pool.BlockBytes / PieceBytes);
    }

    // Keeps a slab that got no block.
    private void KeepTable(Slab slab)
    {
        using (Hold())
        {
            AddTable(slab);
        }
    }

    // Cuts a block, and takes a piece of it.
    private nint Open(Slab slab, nint block)
    {
        using (Hold())
        {
            slab.Open(block);
            _open.Add(slab);

            // Somebody may have written to the block before.
            _hasFreePages = true;
            return TakeFrom(slab);
        }
    }

    // Takes a piece back. The block, which goes back to the pool when it was the last piece; otherwise 0. Or Awaited. And whether no timer runs that would let its pages go.
    private nint Put(Slab slab, int piece, out bool isUntimed)
    {
        using (Hold())
        {
            _hasFreePages = true;
            _history.Observe(0);
            isUntimed = pool.Depot.Caches.Scheduler is { IsArmed: false };
            if (slab.IsInFullList)
            {
                Move(slab, ref _full, ref _open);
            }

            slab.Put(piece);
            return CloseIfEmpty(slab);
        }
    }

    // As Put, of a slab whose last piece came back while its free ones were out. It may be in use again, or no slab any more.
    private nint CloseLater(Slab slab)
    {
        using (Hold())
        {
            return CloseIfEmpty(slab);
        }
    }

    private nint TakeFrom(Slab slab)
    {
        nint address = slab.Take();
        if (slab.IsExhausted)
        {
            Move(slab, ref _open, ref _full);
        }

        return address;
    }

    private static void Move(Slab slab, ref SlabList from, ref SlabList to)
    {
        from.Remove(slab);
        to.Add(slab);
        slab.IsInFullList = !slab.IsInFullList;
    }

    private nint CloseIfEmpty(Slab slab)
    {
        if (!slab.IsEmpty || slab.Block == 0)
        {
            return 0;
        }

        // The system is about to take pages of it: the block must stay.
        if (slab.IsDiscarding)
        {
            return Awaited;
        }

        _open.Remove(slab);
        AddTable(slab);
        return slab.Close();
    }

    private void AddTable(Slab slab)
    {
        if (_tableCount < _mostTables)
        {
            _tables.Add(slab);
            _tableCount++;
        }
    }
}
