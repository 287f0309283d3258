using System.Diagnostics.CodeAnalysis;
using PixelPool.Pooling;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>The slabs of one piece size that the threads of one processor cut, under a lock of their own. Nothing slow is done under it: no block comes or goes meanwhile.</summary>
/// <param name="sizeClass">All slabs of that size.</param>
/// <param name="pool">Where blocks come from: pieces fill them, or leave less than one behind the last.</param>
internal sealed partial class SlabStripe(SlabSizeClass sizeClass, BlockPool pool) : LockedStripe, IFreePages
{
    // Slabs that hand out pieces: with a block, not exhausted, and of which no pages go.
    private SlabList _open;

    // Slabs without blocks: their tables serve again. They are about 500 bytes each, and a bit for each piece.
    private SlabList _tables;

    // All that ever had a block: the last one, which knows the one before.
    private Slab? _newest;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>All slabs of that size.</summary>
    public SlabSizeClass SizeClass => sizeClass;

    /// <summary>The thread that opened the last slab: the stripe migrates with it. A hint, read without the lock.</summary>
    public int OpenedBy { get; private set; }

    /// <summary>A hit: a piece of a slab that is open.</summary>
    public bool TryTake([NotNullWhen(true)] out Slab? slab, out nint address)
    {
        using (Hold())
        {
            slab = _open.First;
            address = slab is null ? 0 : TakeFrom(slab);
            return slab is not null;
        }
    }

    /// <summary>A slab without a block.</summary>
    public Slab TakeTable()
    {
        using (Hold())
        {
            if (_tables.First is { } slab)
            {
                _tables.Remove(slab);
                return slab;
            }
        }

        return new Slab(this, pool.BlockBytes / sizeClass.PieceBytes);
    }

    /// <summary>Keeps a slab that got no block.</summary>
    public void KeepTable(Slab slab)
    {
        using (Hold())
        {
            _tables.Add(slab);
        }
    }

    /// <summary>Cuts a block, and takes a piece of it.</summary>
    public nint Open(Slab slab, nint block)
    {
        using (Hold())
        {
            OpenedBy = Environment.CurrentManagedThreadId;
            if (slab.Block == 0)
            {
                slab.Older = _newest;
                _newest = slab;
            }

            slab.Block = block;
            _open.Add(slab);

            // Somebody may have written to the block before.
            _quietPeriods = Math.Max(0, _quietPeriods);
            return TakeFrom(slab);
        }
    }

    /// <summary>Takes a piece back.</summary>
    /// <param name="slab">A slab of this stripe.</param>
    /// <param name="piece">The index of the piece.</param>
    /// <param name="emptied">The block, which goes back to the pool when it was the last piece; otherwise 0.</param>
    /// <returns>False while pages of the slab go: nothing was done.</returns>
    public bool TryPut(Slab slab, int piece, out nint emptied)
    {
        using (Hold())
        {
            emptied = 0;
            if (slab.IsDiscarding)
            {
                return false;
            }

            _quietPeriods = 0;
            if (slab.IsExhausted)
            {
                _open.Add(slab);
            }

            slab.Put(piece);
            if (slab.IsEmpty)
            {
                _open.Remove(slab);
                _tables.Add(slab);
                emptied = slab.Block;
            }

            return true;
        }
    }

    private nint TakeFrom(Slab slab)
    {
        nint address = slab.Take();
        if (slab.IsExhausted)
        {
            _open.Remove(slab);
        }

        return address;
    }
}
