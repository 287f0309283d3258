namespace PixelPool.Pooling;

/// <summary>
/// The slabs of one piece size. A slab whose last piece comes back gives its block to the pool at once, where idle memory is kept and
/// trimmed: slabs keep nothing of their own but one table for the next slab.
/// </summary>
internal sealed class SlabSizeClass(UniformUnmanagedMemoryPool pool, int pieceBytes)
{
    // Slabs with free pieces, the last used at the end.
    private readonly List<Slab> _open = [];
    private Slab? _spare;

    /// <summary>Bytes of one piece; a multiple of 4,096.</summary>
    public int PieceBytes { get; } = pieceBytes;

    /// <returns>False when the pool is full: nothing was taken.</returns>
    public bool TryTake(out Slab slab, out nint address)
    {
        if (TryTakeOpen(out slab!, out address))
        {
            return true;
        }

        Span<nint> block = stackalloc nint[1];
        if (!pool.TryGather(block, countsAsRent: false, out _))
        {
            return false;
        }

        lock (_open)
        {
            slab = _spare ?? new Slab(this, pool.BlockBytes / PieceBytes);
            _spare = null;
            slab.Open(block[0]);
            address = slab.Take();
            if (!slab.IsFull)
            {
                _open.Add(slab);
            }

            return true;
        }
    }

    public void Return(Slab slab, nint address)
    {
        nint emptied = 0;
        lock (_open)
        {
            bool wasFull = slab.IsFull;
            slab.Put(address);
            if (slab.IsEmpty)
            {
                emptied = slab.Block;
                _open.Remove(slab);
                _spare = slab;
            }
            else if (wasFull)
            {
                _open.Add(slab);
            }
        }

        if (emptied != 0)
        {
            pool.ReturnUncounted([emptied]);
        }
    }

    private bool TryTakeOpen(out Slab? slab, out nint address)
    {
        lock (_open)
        {
            if (_open.Count == 0)
            {
                slab = null;
                address = 0;
                return false;
            }

            slab = _open[_open.Count - 1];
            address = slab.Take();
            if (slab.IsFull)
            {
                _open.RemoveAt(_open.Count - 1);
            }

            return true;
        }
    }
}
