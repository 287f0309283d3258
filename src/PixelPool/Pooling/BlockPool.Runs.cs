using PixelPool.Lifetime;

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

    // An idle run of any stripe, or one that is made.
    private bool TryHoldRun(LifetimeGuard guard, MemoryTier tier, int count)
    {
        if (Depot.TryRentRun(tier, count, credit: 0, guard) is not null)
        {
            return true;
        }

        bool made = TryMakeRun(guard.Reserve(count), out nint run, out int fresh);
        if (made)
        {
            guard.SetFresh((long)fresh * BlockBytes);
            guard.HoldPiece(tier, run, (long)count * BlockBytes);
        }

        return made;
    }

    private bool TryMakeRun(Span<nint> blocks, out nint run, out int fresh)
    {
        CheckFits((long)blocks.Length * BlockBytes);
        for (int attempt = 0; ;)
        {
            if (Source.IsDivisible && TryAssemble(blocks, out run, out fresh))
            {
                return true;
            }

            fresh = blocks.Length;
            if (!TryReserveCapacity(blocks.Length))
            {
                // Again with the room that was made.
                if (TryReleaseIdle(blocks.Length, blocks.Length))
                {
                    continue;
                }

                run = 0;
                return false;
            }

            if (Source.TryAllocateRun(blocks.Length, BlockBytes, _useHugePages, out run))
            {
                CountRent(blocks.Length, fresh, countsAsRent: true);
                return true;
            }

            _capacity.Release(blocks.Length);
            Recovery.MakeRoom(attempt++, (long)blocks.Length * BlockBytes, pieces: 1, _capacity.Bytes);
            ThrowIfDisposed();
        }
    }

    private bool TryAssemble(Span<nint> blocks, out nint run, out int fresh)
    {
        run = 0;
        int reused = TakeIdle(blocks, alsoKept: true);
        fresh = blocks.Length - reused;
        if (reused == 0)
        {
            return false;
        }

        Span<nint> idle = blocks.Slice(0, reused);
        if (TryReserveCapacity(fresh))
        {
            if (Source.TryAssemble(idle, fresh, BlockBytes, _useHugePages, out run))
            {
                CountRent(blocks.Length, fresh, countsAsRent: true, assembled: true);
                return true;
            }

            _capacity.Release(fresh);
        }

        Return(idle, wereRented: false);
        return false;
    }

    // Where memory is not divisible, or nothing is moved, idle memory of another shape counts against the capacity and cannot serve: it makes room, if all of it is enough for
    // the blocks that are asked for.
    private bool TryReleaseIdle(int blocks, int missing)
    {
        Depot.Caches.PutAllBack();
        if (_capacity.Blocks - Trimmer.CountIdle() + blocks > _capacity.MaxBlocks)
        {
            return false;
        }

        long released = Trimmer.ReleaseIdle(missing);
        Trimmer.ReportDropped(released * BlockBytes);
        return released > 0;
    }
}
