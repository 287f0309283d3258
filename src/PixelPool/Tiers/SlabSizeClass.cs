using PixelPool.Budgets;
using PixelPool.Pooling;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>
/// The slabs of one piece size. Each processor has a stripe of its own, so a hit locks and writes nothing that another processor uses. The budget pays for
/// whole blocks, because they are what is held.
/// </summary>
/// <remarks>
/// Which stripe a processor uses is only advice: each stripe has a lock, and a slab stays with its stripe. So a thread that comes to another processor brings the stripe along
/// whose slabs it opened, and needs no more blocks than on one processor.
/// </remarks>
/// <param name="pool">Where blocks come from.</param>
/// <param name="index">Its place among all sizes.</param>
/// <param name="pieceBytes">Bytes of one piece: at most half a block.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
internal sealed class SlabSizeClass(BlockPool pool, int index, int pieceBytes, MemoryBudget? budget)
{
    // Made when it is needed: most applications use few sizes.
    private readonly SlabStripe?[] _stripes = new SlabStripe?[StripeIndex.Count];

    // Held while it changes which processor uses which stripe.
    private readonly UninterruptibleLock _routing = new();

    // Held while free pieces of a slab are out of it, and how often that began and ended.
    private readonly UninterruptibleLock _discarding = new();
    private int _discardsBegun;
    private int _discardsEnded;

    /// <summary>Its place among all sizes: the smallest one is 0.</summary>
    public int Index { get; } = index;

    /// <summary>Bytes of one piece.</summary>
    public int PieceBytes { get; } = pieceBytes;

    private int CurrentIndex => StripeIndex.Current & (_stripes.Length - 1);

    /// <returns>False when the pool is full, or the budget has no room for a block: nothing was taken.</returns>
    public bool TryTake(out Slab slab, out nint address) =>
        (_stripes[CurrentIndex] is { } stripe && stripe.TryTake(out slab!, out address)) || TryTakeSlowly(out slab, out address);

    public void Return(Slab slab, nint address)
    {
        int piece = slab.IndexOf(address);
        bool isRemote = slab.Owner != _stripes[CurrentIndex];
        if (isRemote && slab.TryPushRemote(piece))
        {
            return;
        }

        Finish(slab, slab.Owner.Return(slab, piece, claim: isRemote, out nint emptied), emptied);
    }

    private void Finish(Slab slab, AfterReturn after, nint emptied)
    {
        if ((after & AfterReturn.AwaitDiscard) != 0)
        {
            after |= EmptyLater(slab, out emptied);
        }

        if (after != AfterReturn.None || emptied != 0)
        {
            Finish(after, emptied);
        }
        else
        {
            ReturnSignal.Notify();
        }
    }

    // The stripe of the current processor has nothing, or there is none yet.
    private bool TryTakeSlowly(out Slab slab, out nint address)
    {
        int index = CurrentIndex;
        SlabStripe? stripe = _stripes[index];
        if (stripe?.OpenedBy != Environment.CurrentManagedThreadId)
        {
            stripe = FindStripe(index);
            if (stripe.TryTake(out slab!, out address))
            {
                return true;
            }
        }

        // Free pieces of a slab may be out of it for a moment: nobody is refused because of that.
        int ended;
        do
        {
            ended = Volatile.Read(ref _discardsEnded);
            if (TryTakeCharged(stripe, out slab!, out address) || TryTakeAnywhere(out slab!, out address))
            {
                return true;
            }
        }
        while (AwaitDiscard(ended));

        return false;
    }

    // The one that this thread used on another processor, or that of this one.
    private SlabStripe FindStripe(int index)
    {
        int thread = Environment.CurrentManagedThreadId;
        using (_routing.Hold())
        {
            SlabStripe? current = _stripes[index];
            for (int i = 0; i < _stripes.Length && current?.OpenedBy != thread; i++)
            {
                if (_stripes[i] is { } other && other.OpenedBy == thread)
                {
                    _stripes[i] = current;
                    current = _stripes[index] = other;
                }
            }

            return current ?? (_stripes[index] = CreateStripe());
        }
    }

    private SlabStripe CreateStripe()
    {
        var stripe = new SlabStripe(this, pool, budget is null ? 0 : pool.BlockBytes);
        pool.Trimmer.Add(stripe);
        return stripe;
    }

    // The slab that is kept without credit for its block, or another block.
    private bool TryTakeCharged(SlabStripe stripe, out Slab? slab, out nint address)
    {
        slab = null;
        address = 0;
        if (budget is not null && !budget.TryCharge(pool.BlockBytes))
        {
            return false;
        }

        bool taken = false;
        try
        {
            taken = (budget is not null && stripe.TryTakeCharged(out slab, out address)) || TryOpen(stripe, out slab, out address);
            return taken;
        }
        finally
        {
            if (!taken)
            {
                budget?.Release(pool.BlockBytes);
            }
        }
    }

    private bool TryOpen(SlabStripe stripe, out Slab? slab, out nint address)
    {
        // The table is made before the block is taken, so that no block is lost when there is no memory for it.
        Slab spare = stripe.TakeSpare();
        bool gathered = TryGather(out nint block);
        slab = gathered ? spare : null;
        address = gathered ? stripe.Open(spare, block) : 0;
        if (!gathered)
        {
            stripe.KeepSpare(spare);
        }

        return gathered;
    }

    // When the pool is full, blocks that other sizes keep make room.
    private bool TryGather(out nint block)
    {
        // Not a collection expression: on netstandard2.0 that would be an array.
        Span<nint> blocks = stackalloc nint[1];
        bool gathered = pool.TryGather(blocks, countsAsRent: false, out _) || (pool.TryReclaimSpare(1) && pool.TryGather(blocks, countsAsRent: false, out _));
        block = blocks[0];
        return gathered;
    }

    // No block is to be had: then a piece of any stripe is better than none.
    private bool TryTakeAnywhere(out Slab? slab, out nint address)
    {
        foreach (SlabStripe? stripe in _stripes)
        {
            if (stripe is not null && stripe.TryDrainRemote(out slab, out address))
            {
                return true;
            }
        }

        slab = null;
        address = 0;
        return false;
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

    // Waits, so that the caller's next rent can use the block.
    private AfterReturn EmptyLater(Slab slab, out nint emptied)
    {
        _discarding.Hold().Dispose();
        return slab.Owner.EmptyLater(slab, out emptied);
    }

    /// <summary>Free pieces are about to be out of a slab, until the end of the holder.</summary>
    public DiscardHold BeginDiscard() => new(this);

    private void Finish(AfterReturn after, nint emptied)
    {
        try
        {
            if (emptied != 0)
            {
                Span<nint> block = stackalloc nint[1];
                block[0] = emptied;
                pool.MakeIdle(block);
            }
            else
            {
                ReturnSignal.Notify();
            }
        }
        finally
        {
            if ((after & AfterReturn.ReleaseCharge) != 0)
            {
                budget?.Release(pool.BlockBytes);
            }
        }

        // Last: it is the application's timer.
        if ((after & AfterReturn.Arm) != 0)
        {
            pool.ArmTrimming();
        }
    }

    /// <summary>While it lives, free pieces of one slab are out of it.</summary>
    public readonly ref struct DiscardHold
    {
        private readonly SlabSizeClass _sizeClass;
        private readonly UninterruptibleLock.Holder _holder;

        public DiscardHold(SlabSizeClass sizeClass)
        {
            _sizeClass = sizeClass;
            _holder = sizeClass._discarding.Hold();
            Volatile.Write(ref sizeClass._discardsBegun, sizeClass._discardsBegun + 1);
        }

        public void Dispose()
        {
            Volatile.Write(ref _sizeClass._discardsEnded, _sizeClass._discardsBegun);
            _holder.Dispose();
        }
    }
}
