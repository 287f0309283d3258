using System.Diagnostics.CodeAnalysis;
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
/// <param name="pieceBytes">Bytes of one piece: at most half a block.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
internal sealed class SlabSizeClass(BlockPool pool, int pieceBytes, MemoryBudget? budget) : IPieceSource
{
    // Made when it is needed: most applications use few sizes.
    private readonly SlabStripe?[] _stripes = new SlabStripe?[StripeIndex.Count];

    // Held while it changes which processor uses which stripe, and while all of them are looked at: none is passed over.
    private readonly UninterruptibleLock _routing = new();

    // Those who wait for the budget, and whom a piece would serve.
    private int _waiting;

    /// <summary>Bytes of one piece.</summary>
    public int PieceBytes { get; } = pieceBytes;

    /// <summary>Held while a slab hands out nothing because its pages go: whoever would be refused, or serves those who wait, waits for that.</summary>
    /// <remarks>A pass goes from slab to slab: it is handed on in between, or whoever waits would wait for all of them.</remarks>
    public FairLock Discarding { get; } = new();

    private int CurrentIndex => StripeIndex.Current & (_stripes.Length - 1);

    /// <returns>False when the pool is full, or the budget has no room for a block: nothing was taken.</returns>
    public bool TryTake(out Slab slab, out nint address) =>
        (_stripes[CurrentIndex] is { } stripe && stripe.TryTake(out slab!, out address)) || TryTakeSlowly(out slab, out address);

    /// <summary>Gives a piece back, and its block when it was the last one.</summary>
    public void Return(Slab slab, nint address)
    {
        int piece = slab.IndexOf(address);
        if (!slab.Owner.TryPut(slab, piece, out nint emptied))
        {
            // Pages of the slab go. Waited for, so that the caller's next rent can use the block; they cannot go again before it is back.
            using (Discarding.Hold())
            {
                _ = slab.Owner.TryPut(slab, piece, out emptied);
            }
        }

        if (emptied != 0)
        {
            pool.Return(stackalloc nint[] { emptied }, wereRented: false, budget is null ? 0 : pool.BlockBytes);
        }

        // Whoever gets in line looks for a piece then: one of the two sees the other.
        ServeWaiting();

        // Last: it is the application's timer.
        pool.StartTimer();
    }

    public void CountWaiting(int change) => Interlocked.Add(ref _waiting, change);

    public void ServeWaiting()
    {
        while (Volatile.Read(ref _waiting) != 0 && TryTakeAnywhere(out Slab? slab, out nint address))
        {
            if (!budget!.TryHand(this, slab!, address))
            {
                Return(slab!, address);
            }
        }
    }

    public void TakeBack(object slab, nint address) => Return((Slab)slab, address);

    // The stripe of the current processor has nothing, or there is none yet.
    private bool TryTakeSlowly(out Slab slab, out nint address)
    {
        SlabStripe stripe = FindStripe(CurrentIndex);
        return stripe.TryTake(out slab!, out address) || TryOpen(stripe, out slab!, out address) || TryTakeAnywhere(out slab!, out address);
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
        var stripe = new SlabStripe(this, pool);
        pool.Trimmer.Add(stripe);
        return stripe;
    }

    // No block is to be had: then a piece of any stripe is better than none.
    private bool TryTakeAnywhere([NotNullWhen(true)] out Slab? slab, out nint address)
    {
        using (Discarding.Hold())
        using (_routing.Hold())
        {
            foreach (SlabStripe? stripe in _stripes)
            {
                if (stripe is not null && stripe.TryTake(out slab, out address))
                {
                    return true;
                }
            }
        }

        slab = null;
        address = 0;
        return false;
    }

    // Cuts another block.
    private bool TryOpen(SlabStripe stripe, [NotNullWhen(true)] out Slab? slab, out nint address)
    {
        slab = null;
        address = 0;

        // The table is made before the block is taken, so that no block is lost when there is no memory for it.
        Slab table = stripe.TakeTable();
        try
        {
            // Not a collection expression: on netstandard2.0 that would be an array.
            Span<nint> block = stackalloc nint[1];
            if (TryGather(block, out int reused))
            {
                address = stripe.Open(table, block[0]);
                slab = table;

                // The other pieces serve others.
                ServeWaiting();

                // While the block was neither in the pool nor cut, a tick may have found nothing idle. A fresh one has no pages to give back.
                if (reused != 0)
                {
                    pool.StartTimer();
                }
            }

            return slab is not null;
        }
        finally
        {
            if (slab is null)
            {
                stripe.KeepTable(table);
            }
        }
    }

    private bool TryGather(Span<nint> block, out int reused)
    {
        reused = 1;
        if (budget is not null && pool.Depot.Take(block, credit: pool.BlockBytes) != 0)
        {
            return true;
        }

        // A charge for a block that cannot be had would refuse others for a moment.
        if (!pool.MayHold(blocks: 1) || budget?.TryCharge(pool.BlockBytes) == false)
        {
            return false;
        }

        bool gathered = false;
        try
        {
            gathered = pool.TryGather(block, countsAsRent: false, out reused);
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
}
