using System.Runtime.CompilerServices;
using PixelPool.Accounts;
using PixelPool.Lifetime;
using PixelPool.Threading;

namespace PixelPool.Pooling;

// Contiguous memory at the price of pooled blocks. Where memory is divisible, a run that is not idle is assembled from blocks that are, by moving their pages, and
// serves as single blocks again as soon as those are needed. Elsewhere runs are got from the system whole, in two sizes per doubling, and kept like blocks: under the
// same capacity, trimming and accounts.
internal sealed partial class BlockPool
{
    // A run that is longer than asked for by at most this part serves as it is: images of nearly one size share their runs.
    private const int SlackDivisor = 8;

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
        int power = 2;
        while (power < blocks)
        {
            int middle = power + (power / 2);
            if (middle >= blocks)
            {
                return Math.Min(middle, capacity);
            }

            power *= 2;
        }

        return Math.Min(power, capacity);
    }

    /// <summary>The common rent of blocks that lie side by side: an idle run of one stripe, under a guard of it.</summary>
    /// <param name="tier">Where it goes back to.</param>
    /// <param name="count">Blocks, as <see cref="RunLength"/> says.</param>
    /// <param name="exactly">Takes no longer run: a budget pays.</param>
    /// <param name="credit">Bytes that the stripe has to have credit for; 0 when they were charged, or there is no budget.</param>
    /// <returns>Null when no stripe has all of it: nothing was taken.</returns>
    public LifetimeGuard? TryRentRun(MemoryTier tier, int count, bool exactly, long credit)
    {
        int first = Depot.First;
        for (int i = 0; i < Depot.Stripes.Length; i++)
        {
            if (Depot.At(first, i).TryRentRun(tier, count, AtMost(count, exactly), credit) is { } guard)
            {
                return guard;
            }
        }

        return null;
    }

    /// <summary>Every other rent of blocks that lie side by side: an idle run of any stripe, or one that is made.</summary>
    /// <param name="tier">Where it goes back to.</param>
    /// <param name="count">Blocks, as <see cref="RunLength"/> says; they are charged already.</param>
    /// <param name="exactly">Takes no longer run: a budget pays.</param>
    /// <param name="reusedBytes">How many bytes, the first ones, somebody may have written to before.</param>
    /// <returns>Null when that would be more than the capacity: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public LifetimeGuard? TryGatherRun(MemoryTier tier, int count, bool exactly, out long reusedBytes)
    {
        ThrowIfDisposed();
        reusedBytes = long.MaxValue;
        if (!_capacity.MayHold(count))
        {
            return null;
        }

        LifetimeGuard guard = TakeGuard();
        bool held = false;
        try
        {
            held = TryFindRun(count, AtMost(count, exactly), out BlockRun run) || TryMakeRun(guard.Reserve(count), out run, out reusedBytes);
            if (held)
            {
                long bytes = (long)run.Blocks * BlockBytes;
                guard.SetFresh(Math.Max(0, bytes - reusedBytes));
                guard.HoldPiece(tier, run.Address, bytes);
                guard.RequestSample();
            }

            return held ? guard : null;
        }
        finally
        {
            if (!held)
            {
                ParkGuard(guard);
            }
        }
    }

    private static int AtMost(int count, bool exactly) => exactly ? count : count + (count / SlackDivisor);

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
        for (int attempt = 0; ;)
        {
            reusedBytes = 0;
            bool refused = false;
            if (Source.IsDivisible && TryAssemble(blocks, out run, out int reused, out refused))
            {
                reusedBytes = (long)reused * BlockBytes;
                return true;
            }

            if (!TryReserveCapacity(blocks.Length))
            {
                // Again without the block that could not be moved, or with the room that was made.
                if (refused || TryReleaseIdle(blocks.Length, alsoSingle: true))
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

    private bool TryAssemble(Span<nint> blocks, out BlockRun run, out int reused, out bool refused)
    {
        refused = false;
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
            if (Source.TryAssemble(idle, missing, BlockBytes, _useHugePages, out nint address, out refused))
            {
                run = new BlockRun(address, blocks.Length);
                CountRent(blocks.Length, missing, countsAsRent: true, assembled: true);
                return true;
            }

            _capacity.Release(missing);
            if (refused)
            {
                // Before Linux 6.17 a block in two mappings cannot be moved, and the next assembly would fail with it, too.
                Trimmer.Release(idle.Slice(reused - 1));
                Trimmer.ReportDropped(BlockBytes);
                idle = idle.Slice(0, reused - 1);
            }
        }

        MakeIdle(idle);
        return false;
    }

    // Where memory is not divisible, or nothing is moved, idle memory of another shape counts against the capacity and cannot serve: it makes room, if that
    // is enough.
    private bool TryReleaseIdle(int blocks, bool alsoSingle)
    {
        if (alsoSingle)
        {
            Depot.Caches.PutBlocksBack(int.MaxValue);
            TryPutPiecesBack();
        }

        if (!WouldFit(blocks, alsoSingle))
        {
            return false;
        }

        long released = 0;
        for (int i = 0; i < Depot.Stripes.Length && released < blocks; i++)
        {
            released += Trimmer.ReleaseOldestRuns(Depot.Stripes[i], blocks - released);
        }

        for (int i = 0; i < Depot.Stripes.Length && released < blocks && alsoSingle; i++)
        {
            released += Trimmer.ReleaseOldest(Depot.Stripes[i], blocks - released);
        }

        Trimmer.ReportDropped(released * BlockBytes);
        return released > 0;
    }

    private bool WouldFit(int blocks, bool alsoSingle)
    {
        long releasable = 0;
        foreach (DepotStripe stripe in Depot.Stripes)
        {
            releasable += alsoSingle ? stripe.IdleBlocks : stripe.IdleBlocksInRuns;
        }

        return _capacity.Blocks - releasable + blocks <= _capacity.MaxBlocks;
    }
}
