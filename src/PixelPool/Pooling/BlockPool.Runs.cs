using PixelPool.Accounts;
using PixelPool.Lifetime;
using PixelPool.Threading;

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

    /// <summary>The common rent of blocks that lie side by side: an idle run of one stripe, under a guard of it.</summary>
    /// <param name="tier">Where it goes back to.</param>
    /// <param name="count">Blocks, as <see cref="RunLength"/> says.</param>
    /// <param name="atMost">Blocks that the run may have.</param>
    /// <param name="credit">Bytes that the stripe has to have credit for; 0 when they were charged, or there is no budget.</param>
    /// <returns>Null when no stripe has all of it: nothing was taken.</returns>
    public LifetimeGuard? TryRentRun(MemoryTier tier, int count, int atMost, long credit)
    {
        foreach (DepotStripe stripe in Depot.FromCurrent)
        {
            if (stripe.TryRentRun(tier, count, atMost, credit) is { } guard)
            {
                return guard;
            }
        }

        return null;
    }

    private bool TryHoldRun(LifetimeGuard guard, MemoryTier tier, int count, int atMost, out long reusedBytes)
    {
        reusedBytes = long.MaxValue;
        bool found = TryFindRun(count, atMost, out BlockRun run) || TryMakeRun(guard.Reserve(count), out run, out reusedBytes);
        if (found)
        {
            guard.HoldPiece(tier, run.Address, (long)run.Blocks * BlockBytes);
        }

        return found;
    }

    // An idle run of any stripe, or a part of a longer one.
    private bool TryFindRun(int count, int atMost, out BlockRun run)
    {
        bool found = Depot.TryTakeRun(count, atMost, cuts: false, out run) || (Source.IsDivisible && Depot.TryTakeRun(count, int.MaxValue, cuts: true, out run));
        if (found)
        {
            CountRent(run.Blocks, fresh: 0, countsAsRent: true);
        }

        return found;
    }

    private bool TryMakeRun(Span<nint> blocks, out BlockRun run, out long reusedBytes)
    {
        CheckFits((long)blocks.Length * BlockBytes);
        for (int attempt = 0; ;)
        {
            reusedBytes = 0;
            if (Source.IsDivisible && TryAssemble(blocks, out run, out int reused))
            {
                reusedBytes = (long)reused * BlockBytes;
                return true;
            }

            if (!TryReserveCapacity(blocks.Length))
            {
                // Again with the room that was made.
                if (TryReleaseIdle(blocks.Length, blocks.Length))
                {
                    continue;
                }

                run = default;
                return false;
            }

            if (Source.TryAllocateRun(blocks.Length, BlockBytes, _useHugePages, out nint address))
            {
                run = new BlockRun(address, blocks.Length);
                CountRent(blocks.Length, fresh: blocks.Length, countsAsRent: true);
                return true;
            }

            _capacity.Release(blocks.Length);
            if (!Recovery.TryMakeRoom(attempt++, (long)blocks.Length * BlockBytes))
            {
                Throw.OutOfMemory((long)blocks.Length * BlockBytes, pieces: 1, _capacity.Bytes);
            }

            ThrowIfDisposed();
        }
    }

    private bool TryAssemble(Span<nint> blocks, out BlockRun run, out int reused)
    {
        run = default;
        reused = TakeIdle(blocks, alsoKept: true);
        if (reused == 0)
        {
            return false;
        }

        Span<nint> idle = blocks.Slice(0, reused);
        int missing = blocks.Length - reused;
        if (TryReserveCapacity(missing))
        {
            if (Source.TryAssemble(idle, missing, BlockBytes, _useHugePages, out nint address))
            {
                run = new BlockRun(address, blocks.Length);
                CountRent(blocks.Length, missing, countsAsRent: true, assembled: true);
                return true;
            }

            _capacity.Release(missing);
        }

        Return(idle, wereRented: false);
        return false;
    }

    // Where memory is not divisible, or nothing is moved, idle memory of another shape counts against the capacity and cannot serve: it makes room, if all of it is enough for
    // the blocks that are asked for.
    private bool TryReleaseIdle(int blocks, int missing, bool alsoKept = true)
    {
        if (alsoKept)
        {
            Depot.Caches.PutAllBack();
        }

        if (_capacity.Blocks - Trimmer.CountIdle() + blocks > _capacity.MaxBlocks)
        {
            return false;
        }

        long released = Trimmer.ReleaseIdle(missing);
        Trimmer.ReportDropped(released * BlockBytes);
        return released > 0;
    }
}
