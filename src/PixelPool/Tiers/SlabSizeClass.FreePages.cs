using PixelPool.Native;

namespace PixelPool.Tiers;

// Pages in which nothing is in use, of blocks that have pieces in use: the system gets them back, the addresses stay. They are those of free pieces, and what is left
// of a block behind its last piece: an earlier use of the block may have written to that.
internal sealed partial class SlabSizeClass
{
    private int _lastPass;

    private bool HasTails => pool.BlockBytes % PieceBytes >= Environment.SystemPageSize;

    /// <summary>Lets them go. What is counted does not change: blocks are.</summary>
    public void DiscardFreePages(BlockSource source)
    {
        if (_open.First is null && _full.First is null)
        {
            return;
        }

        ulong[] words;
        try
        {
            words = new ulong[Slab.WordsFor(pool.BlockBytes / PieceBytes)];
        }
        catch (OutOfMemoryException)
        {
            // Then what is free stays resident until the next trim.
            return;
        }

        int pass = Interlocked.Increment(ref _lastPass);
        while (TryDiscardNext(pass, words, source))
        {
        }
    }

    // The pieces are out of the slab meanwhile: the system is not called under the lock. Who finds none, or returns the last one, waits for them: see TryTakeAnyhow and PutBack.
    private bool TryDiscardNext(int pass, ulong[] words, BlockSource source)
    {
        using (_discarding.Hold())
        {
            Volatile.Write(ref _discardsBegun, _discardsBegun + 1);
            Slab? slab = TakeNextFree(pass, out FreePieces free);
            try
            {
                slab?.DiscardPages(free, words, source);
            }
            finally
            {
                if (slab is not null)
                {
                    PutFree(slab, free);
                }

                Volatile.Write(ref _discardsEnded, _discardsBegun);
            }

            return slab is not null;
        }
    }

    // Passes may run at once. Each slab is in one of them, the last, or in several.
    private Slab? TakeNextFree(int pass, out FreePieces free)
    {
        using (Hold())
        {
            while ((FirstNotIn(pass, _open) ?? FirstNotIn(pass, _full)) is { } slab)
            {
                slab.Pass = pass;
                if (slab.IsEmpty || (slab.IsExhausted && !HasTails))
                {
                    continue;
                }

                free = slab.TakeFree();
                if (!slab.IsInFullList)
                {
                    Move(slab, ref _open, ref _full);
                }

                return slab;
            }
        }

        free = default;
        return null;
    }

    private void PutFree(Slab slab, FreePieces free)
    {
        using (Hold())
        {
            slab.PutFree(free);
            if (slab.IsInFullList && !slab.IsExhausted)
            {
                Move(slab, ref _full, ref _open);
            }
        }
    }

    private static Slab? FirstNotIn(int pass, SlabList list)
    {
        Slab? slab = list.First;
        while (slab is not null && slab.Pass >= pass)
        {
            slab = slab.Next;
        }

        return slab;
    }
}
