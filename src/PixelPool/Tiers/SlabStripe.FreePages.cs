using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

// Pages in which nothing is in use, of blocks that have pieces in use: the system gets them back, the addresses stay. They are those of free pieces, and what is left
// of a block behind its last piece: an earlier use of the block may have written to that.
internal sealed partial class SlabStripe
{
    private bool HasTails => pool.BlockBytes % PieceBytes >= Environment.SystemPageSize;

    /// <inheritdoc/>
    public override void DiscardFreePages(BlockSource source)
    {
        Slab?[] slabs;
        ulong[] words;
        try
        {
            slabs = new Slab?[CountWithFreePages()];
            words = new ulong[FindWithFreePages(slabs)];
        }
        catch (OutOfMemoryException)
        {
            // Then what is free stays resident until the next trim.
            return;
        }

        foreach (Slab? slab in slabs)
        {
            if (slab is not null)
            {
                DiscardFreePages(slab, words, source);
            }
        }
    }

    // The pieces are out of the slab meanwhile: the system is not called under the lock. Who finds none, or returns the last one, waits for them: see SlabSizeClass.
    private void DiscardFreePages(Slab slab, ulong[] words, BlockSource source)
    {
        using (sizeClass.BeginDiscard())
        {
            if (!TryTakeFree(slab, out FreePieces free))
            {
                return;
            }

            try
            {
                slab.DiscardPages(free, words, source);
            }
            finally
            {
                PutFree(slab, free);
            }
        }

        ReturnSignal.Notify();
    }

    private bool TryTakeFree(Slab slab, out FreePieces free)
    {
        free = default;
        Gate.Enter(this);
        try
        {
            // What was put aside is free, too. And the slab may have been filled, emptied or cut anew since.
            slab.TryClaim();
            if (slab.IsEmpty || (slab.IsExhausted && !HasTails))
            {
                return false;
            }

            free = slab.TakeFree();
            if (!slab.IsInFullList)
            {
                Move(slab, ref _open, ref _full);
            }

            return true;
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    private void PutFree(Slab slab, FreePieces free)
    {
        Gate.Enter(this);
        try
        {
            slab.PutFree(free);
            if (slab.IsInFullList && !slab.IsExhausted)
            {
                Move(slab, ref _full, ref _open);
            }
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    /// <summary>Ends the use of a slab whose last piece came back while its free ones were out, if nobody took another one since. To be called when they are back.</summary>
    /// <param name="slab">A slab of this stripe.</param>
    /// <param name="emptied">The block, if it is to go back to the pool; otherwise 0.</param>
    /// <returns>What else is to be done without the lock.</returns>
    public AfterReturn EmptyLater(Slab slab, out nint emptied)
    {
        emptied = 0;
        Gate.Enter(this);
        try
        {
            return slab.IsEmptiedLater ? Empty(slab, out emptied) : AfterReturn.None;
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    // At least as many as have free pages.
    private int CountWithFreePages()
    {
        Gate.Enter(this);
        try
        {
            int full = ReopenFull();
            return Count(_open) + (HasTails ? full : 0);
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    // Words that each of them needs.
    private int FindWithFreePages(Span<Slab?> slabs)
    {
        Gate.Enter(this);
        try
        {
            int count = Copy(_open, slabs);
            if (HasTails)
            {
                Copy(_full, slabs.Slice(count));
            }
        }
        finally
        {
            Gate.Exit(this);
        }

        return slabs.Length != 0 && slabs[0] is { } first ? first.Words : 0;
    }

    // Pieces that came back on other processors and were put aside are free. How many slabs stay full.
    private int ReopenFull()
    {
        int count = 0;
        for (Slab? slab = _full.First, next; slab is not null; slab = next)
        {
            next = slab.Next;
            if (slab.TryClaim())
            {
                Move(slab, ref _full, ref _open);
            }
            else
            {
                count++;
            }
        }

        return count;
    }

    private static int Count(SlabList list)
    {
        int count = 0;
        for (Slab? slab = list.First; slab is not null; slab = slab.Next)
        {
            count++;
        }

        return count;
    }

    private static int Copy(SlabList list, Span<Slab?> slabs)
    {
        int count = 0;
        for (Slab? slab = list.First; slab is not null && count < slabs.Length; slab = slab.Next)
        {
            slabs[count++] = slab;
        }

        return count;
    }
}
