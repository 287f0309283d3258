using System.Diagnostics.CodeAnalysis;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>The slabs of one piece size that the threads of one processor cut, under a lock of their own.</summary>
/// <param name="sizeClass">All slabs of that size.</param>
/// <param name="blockBytes">Bytes of a block: pieces fill it, or leave less than one behind the last.</param>
internal sealed partial class SlabStripe(SlabSizeClass sizeClass, int blockBytes) : LockedStripe
{
    /// <summary>It was the last piece, but free pieces of the slab are out of it: whoever brought the last one waits for them, then calls <see cref="CloseLater"/>.</summary>
    public const nint Awaited = -1;

    // What the tables of slabs without blocks may take together, about.
    private const int MostTableBytes = 32 << 10;

    private readonly int _mostTables = Math.Max(1, MostTableBytes / (512 + (blockBytes / sizeClass.PieceBytes * sizeof(int))));
    private SlabList _open;
    private SlabList _full;

    // Slabs without blocks: their tables serve again.
    private SlabList _tables;
    private int _tableCount;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>All slabs of that size.</summary>
    public SlabSizeClass SizeClass => sizeClass;

    /// <summary>Bytes of one piece.</summary>
    public int PieceBytes => sizeClass.PieceBytes;

    /// <summary>Bytes of a block.</summary>
    public int BlockBytes => blockBytes;

    /// <summary>The thread that opened the last slab: the stripe migrates with it. A hint, read without the lock.</summary>
    public int OpenedBy { get; private set; }

    /// <summary>A hit: a piece of a slab that is open.</summary>
    public bool TryTake([NotNullWhen(true)] out Slab? slab, out nint address)
    {
        using (Hold())
        {
            return TryTakeFrom(slab = _open.First, out address);
        }
    }

    /// <summary>As <see cref="TryTake"/>; looks for pieces that were put aside, too.</summary>
    public bool TryDrainRemote([NotNullWhen(true)] out Slab? slab, out nint address)
    {
        using (Hold())
        {
            return TryTakeFrom(slab = _open.First ?? TryReopen(), out address);
        }
    }

    /// <summary>A slab without a block.</summary>
    public Slab TakeTable()
    {
        Slab? slab;
        using (Hold())
        {
            slab = _tables.First;
            if (slab is not null)
            {
                _tables.Remove(slab);
                _tableCount--;
            }
        }

        return slab ?? new Slab(this, blockBytes / PieceBytes);
    }

    /// <summary>Keeps a slab that got no block.</summary>
    public void KeepTable(Slab slab)
    {
        using (Hold())
        {
            AddTable(slab);
        }
    }

    /// <summary>Cuts a block, and takes a piece of it.</summary>
    public nint Open(Slab slab, nint block)
    {
        using (Hold())
        {
            OpenedBy = Environment.CurrentManagedThreadId;
            slab.Open(block);
            _open.Add(slab);
            TryTakeFrom(slab, out nint address);
            return address;
        }
    }

    /// <summary>Takes a piece back.</summary>
    /// <param name="slab">A slab of this stripe.</param>
    /// <param name="piece">The index of the piece.</param>
    /// <param name="claim">Whether to claim what was put aside: no more can be.</param>
    /// <returns>The block, which goes back to the pool when it was the last piece; otherwise 0. Or <see cref="Awaited"/>.</returns>
    public nint Return(Slab slab, int piece, bool claim)
    {
        using (Hold())
        {
            if (slab.IsInFullList)
            {
                Move(slab, ref _full, ref _open);
            }

            slab.Put(piece);
            if (claim)
            {
                slab.TryClaim();
            }

            return CloseIfEmpty(slab);
        }
    }

    /// <summary>Gives the block of a slab back whose last piece came back while its free ones were out.</summary>
    /// <param name="slab">A slab of this stripe. It may be in use again, or no slab any more.</param>
    /// <returns>As of <see cref="Return"/>.</returns>
    public nint CloseLater(Slab slab)
    {
        using (Hold())
        {
            return CloseIfEmpty(slab);
        }
    }

    private bool TryTakeFrom([NotNullWhen(true)] Slab? slab, out nint address)
    {
        address = 0;
        if (slab is null)
        {
            return false;
        }

        address = slab.Take();
        if (slab.IsExhausted && !slab.TryClaim())
        {
            Move(slab, ref _open, ref _full);
        }

        return true;
    }

    private static void Move(Slab slab, ref SlabList from, ref SlabList to)
    {
        from.Remove(slab);
        to.Add(slab);
        slab.IsInFullList = !slab.IsInFullList;
    }

    // A slab of which all pieces were in use, until some were put aside.
    private Slab? TryReopen()
    {
        for (Slab? slab = _full.First; slab is not null; slab = slab.Next)
        {
            if (slab.TryClaim())
            {
                Move(slab, ref _full, ref _open);
                return slab;
            }
        }

        return null;
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
