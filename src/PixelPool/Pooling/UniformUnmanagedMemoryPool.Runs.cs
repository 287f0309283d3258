using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool;

/// <content>
/// Contiguous memory at the price of pooled blocks. Where memory is divisible, a run that is not idle is assembled from blocks that are, by moving
/// their pages, and serves as single blocks again as soon as those are needed. Elsewhere runs are got from the system whole, in two sizes per
/// doubling, and kept like blocks: under the same capacity, trimming and accounts.
/// </content>
public sealed partial class UniformUnmanagedMemoryPool
{
    // A run that is longer than asked for by at most this part serves as it is: images of nearly one size share their runs.
    private const int SlackDivisor = 8;

    /// <summary>Blocks of the run that serves a request for <paramref name="blocks"/>.</summary>
    internal int RunLength(int blocks)
    {
        // Once: a capacity that sinks meanwhile must not make the run shorter than the request.
        int capacity = _maxBlocks;
        if (_source.IsDivisible || blocks >= capacity)
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

    /// <summary>Rents blocks that lie side by side.</summary>
    /// <param name="count">Blocks, as <see cref="RunLength"/> says.</param>
    /// <param name="exactly">Takes no longer run: a budget was charged.</param>
    /// <param name="reusedBytes">How many bytes, the first ones, somebody may have written to before.</param>
    /// <returns>Null when that would be more than the capacity: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal LifetimeGuard? TryRentRun(int count, bool exactly, out long reusedBytes)
    {
        int atMost = exactly ? count : count + (count / SlackDivisor);
        LifetimeGuard? guard = CurrentStripe.TryRentRun(count, atMost, BlockBytes);
        reusedBytes = long.MaxValue;
        return guard ?? TryGatherRun(count, atMost, out reusedBytes);
    }

    /// <summary>Ends the rent of a run.</summary>
    internal void ReturnRun(LifetimeGuard guard, BlockRun run)
    {
        long bytes = (long)run.Blocks * BlockBytes;
        if (CurrentStripe.TryReturnRun(guard, run, bytes, _scheduler, out bool mustArm))
        {
            AfterReturn(mustArm);
            return;
        }

        ReleaseReturned(run);
        ParkGuard(guard, bytes);
        ReportDropped(bytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? TryGatherRun(int count, int atMost, out long reusedBytes)
    {
        ThrowIfDisposed();
        reusedBytes = long.MaxValue;
        if (count > _maxBlocks)
        {
            return null;
        }

        LifetimeGuard guard = TakeGuard();
        bool held = false;
        try
        {
            held = TryFindRun(count, atMost, out BlockRun run) || TryMakeRun(guard.Reserve(count), out run, out reusedBytes);
            if (held)
            {
                guard.SetFresh(Math.Max(0, ((long)run.Blocks * BlockBytes) - reusedBytes));
                guard.HoldRun(run);
                guard.AskForLook();
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

    // An idle run of any stripe, or the beginning of a longer one.
    private bool TryFindRun(int count, int atMost, out BlockRun run)
    {
        if (!TryTakeRun(count, atMost, out run) && !(_source.IsDivisible && TryTakeRun(count, int.MaxValue, out run)))
        {
            return false;
        }

        if (run.Blocks > atMost)
        {
            MakeIdle(new BlockRun(run.Address + ((nint)count * BlockBytes), run.Blocks - count));
            run = run with { Blocks = count };
        }

        CountRent(run.Blocks, fresh: 0, countsAsRent: true);
        return true;
    }

    private bool TryTakeRun(int atLeast, int atMost, out BlockRun run)
    {
        int start = CurrentStripeIndex;
        for (int i = 0; i < _stripes.Length; i++)
        {
            if (StripeAt(start + i).TryTakeRun(atLeast, atMost, out run))
            {
                return true;
            }
        }

        run = default;
        return false;
    }

    /// <summary>Assembles a run from idle blocks and fresh ones, or gets one from the system. All or nothing.</summary>
    /// <param name="blocks">A place for its blocks.</param>
    /// <param name="run">The run.</param>
    /// <param name="reusedBytes">How many bytes, the first ones, somebody may have written to before.</param>
    /// <returns>False when that would be more than the capacity.</returns>
    private bool TryMakeRun(Span<nint> blocks, out BlockRun run, out long reusedBytes)
    {
        for (int attempt = 0; ;)
        {
            reusedBytes = 0;
            bool refused = false;
            if (_source.IsDivisible && TryAssemble(blocks, out run, out int reused, out refused))
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

            if (_source.TryAllocateRun(blocks.Length, BlockBytes, _useHugePages, out nint address))
            {
                run = new BlockRun(address, blocks.Length);
                CountRent(blocks.Length, fresh: blocks.Length, countsAsRent: true);
                return true;
            }

            Interlocked.Add(ref _allocatedBlocks, -blocks.Length);
            if (!Recovery.TryMakeRoom(attempt++, (long)blocks.Length * BlockBytes))
            {
                Throw.OutOfMemory((long)blocks.Length * BlockBytes, pieces: 1, (long)Volatile.Read(ref _allocatedBlocks) * BlockBytes);
            }

            ThrowIfDisposed();
        }
    }

    private bool TryAssemble(Span<nint> blocks, out BlockRun run, out int reused, out bool refused)
    {
        refused = false;
        run = default;
        reused = TakeIdle(blocks);
        if (reused == 0)
        {
            return false;
        }

        Span<nint> idle = blocks.Slice(0, reused);
        int missing = blocks.Length - reused;
        if (TryReserveCapacity(missing))
        {
            if (_source.TryAssemble(idle, missing, BlockBytes, _useHugePages, out nint address, out refused))
            {
                run = new BlockRun(address, blocks.Length);
                CountRent(blocks.Length, missing, countsAsRent: true, assembled: true);
                return true;
            }

            Interlocked.Add(ref _allocatedBlocks, -missing);
            if (refused)
            {
                // Before Linux 6.17 a block in two mappings can not be moved, and the next assembly would fail with it, too.
                ReleaseReturned(idle.Slice(reused - 1));
                CurrentStripe.Count(new StripeCounters { ReleasedBytes = BlockBytes });
                ReportDropped(BlockBytes);
                idle = idle.Slice(0, reused - 1);
            }
        }

        MakeIdle(idle);
        return false;
    }

    // Where memory is not divisible, or nothing is moved, idle memory of another shape counts against the capacity and can not serve: it makes room, if that
    // is enough.
    private bool TryReleaseIdle(int blocks, bool alsoSingle)
    {
        if (!WouldFit(blocks, alsoSingle))
        {
            return false;
        }

        long released = 0;
        for (int i = 0; i < _stripes.Length && released < blocks; i++)
        {
            released += ReleaseOldestRuns(_stripes[i], blocks - released);
        }

        for (int i = 0; i < _stripes.Length && released < blocks && alsoSingle; i++)
        {
            released += ReleaseOldest(_stripes[i], blocks - released);
        }

        ReportDropped(released * BlockBytes);
        return released > 0;
    }

    private bool WouldFit(int blocks, bool alsoSingle)
    {
        long releasable = 0;
        foreach (DepotStripe stripe in _stripes)
        {
            releasable += alsoSingle ? stripe.IdleBlocks : stripe.IdleBlocksInRuns;
        }

        return Volatile.Read(ref _allocatedBlocks) - releasable + blocks <= _maxBlocks;
    }
}
