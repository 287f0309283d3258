namespace PixelPool.Pooling;

// Contiguous memory at the price of pooled blocks. Where memory is divisible, a run that is not idle is assembled from blocks that are, by moving their pages, and
// serves as single blocks again as soon as those are needed. Elsewhere runs are got from the system whole, in two sizes per doubling, and kept like blocks: under the
// same capacity, trimming and accounts.
internal sealed partial class BlockPool
{
    /// <summary>Blocks of the run that serves a request for <paramref name="blocks"/>.</summary>
    public int RunLength(int blocks)
    {
        if (Source.IsDivisible)
        {
            return blocks;
        }

        // Once: a capacity that sinks meanwhile must not make the run shorter than the request.
        int capacity = _capacity.MaxBlocks;
        if (blocks >= capacity)
        {
            return blocks;
        }

        // Powers of two, and the middle between two of them.
        int length = 2;
        while (length < blocks)
        {
            length += (length & (length - 1)) == 0 ? length / 2 : length / 3;
        }

        return Math.Min(length, capacity);
    }

    // Where memory is not divisible, or nothing is moved, idle memory of another shape counts against the capacity and cannot serve: it makes room.
    private bool TryReleaseIdle(int missing)
    {
        long released = Trimmer.ReleaseIdle(missing);
        Trimmer.ReportDropped(released);
        return released > 0;
    }
}
