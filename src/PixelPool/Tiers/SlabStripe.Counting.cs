using PixelPool.Accounts;

namespace PixelPool.Tiers;

/// <content>
/// What is idle. A piece that a thread kept counts as in use until it is back in its slab: nobody rents it on the way, so its slab is idle then if nothing else of it is rented.
/// </content>
internal sealed partial class SlabStripe
{
    // Pieces that were kept and are on their way: as long as there are none, slabs need not be looked at.
    private int _returningKept;

    /// <summary>A piece that was kept is about to be returned.</summary>
    public void BeginReturnKept() => Interlocked.Increment(ref _returningKept);

    /// <summary>It is back, and what was to be done with its block is done.</summary>
    public void EndReturnKept() => Interlocked.Decrement(ref _returningKept);

    /// <inheritdoc/>
    public override long ReadInto(ref StripeCounters sums, long reading)
    {
        long idle = base.ReadInto(ref sums, reading);
        if (Volatile.Read(ref _returningKept) == 0)
        {
            return idle;
        }

        long moving = (CountMoving(in _open, reading) + CountMoving(in _full, reading)) * pool.BlockBytes;
        sums.RentedBytes -= moving;
        return idle + moving;
    }

    protected override long CountIdleBytes() => _kept is null ? 0 : pool.BlockBytes;

    private static long CountMoving(in SlabList slabs, long reading)
    {
        long count = 0;
        for (Slab? slab = slabs.First; slab is not null; slab = slab.Next)
        {
            count += slab.CountMoving(reading) ? 1 : 0;
        }

        return count;
    }
}
