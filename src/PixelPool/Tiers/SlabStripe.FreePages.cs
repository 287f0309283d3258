using PixelPool.Trimming;

namespace PixelPool.Tiers;

// Pages in which nothing is in use, of blocks that have pieces in use: the system gets them back, the addresses stay. They are those of free pieces, and what is left
// of a block behind its last piece: an earlier use of the block may have written to that.
internal sealed partial class SlabStripe
{
    private const int None = -1;

    // How many periods have ended since a piece came back. None: since the last pass no piece came back, and no block was cut; other free pages are gone already.
    private int _quietPeriods = None;

    /// <inheritdoc/>
    public bool HasFreePages => Volatile.Read(ref _quietPeriods) != None;

    /// <inheritdoc/>
    public bool EndPeriod()
    {
        using (Hold())
        {
            return _quietPeriods != None && ++_quietPeriods > IdleHistory.Periods;
        }
    }

    /// <inheritdoc/>
    public void DiscardFreePages()
    {
        Slab? slab;
        using (Hold())
        {
            // What comes back from here on is for the next pass.
            slab = HasFreePages ? _newest : null;
            _quietPeriods = None;
        }

        for (; slab is not null; slab = slab.Older)
        {
            Discard(slab);
        }
    }

    // The system is not called under the lock of the stripe: the slab hands out nothing meanwhile, and takes nothing back. Whoever would be refused, or returns a piece to it, waits.
    private void Discard(Slab slab)
    {
        using (sizeClass.Discarding.Hold())
        {
            if (!TryBegin(slab))
            {
                return;
            }

            try
            {
                slab.DiscardPages(pool.Source, pool.BlockBytes);
            }
            finally
            {
                End(slab);
            }
        }
    }

    // It may be a table by now, or cut for the second time.
    private bool TryBegin(Slab slab)
    {
        using (Hold())
        {
            if (slab.IsEmpty)
            {
                return false;
            }

            slab.IsDiscarding = true;
            if (!slab.IsExhausted)
            {
                _open.Remove(slab);
            }

            return true;
        }
    }

    private void End(Slab slab)
    {
        using (Hold())
        {
            slab.IsDiscarding = false;
            if (!slab.IsExhausted)
            {
                _open.Add(slab);
            }
        }
    }
}
