using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

// Idle runs of blocks that lie side by side. A run that comes back stays whole for the next image of its size, until single blocks are needed.
internal sealed partial class DepotStripe
{
    // A pool has few runs, of few sizes. If it has many, one that was not used for so long is not looked for: its blocks can be assembled again.
    private const int MostSearched = 64;

    private BlockRun[] _runs = new BlockRun[8];
    private int _runCount;
    private int _runBlocks;
    private int _period;

    /// <summary>Whether it seems to have a run. A hint: others may be changing that.</summary>
    public bool SeemsToHaveRuns => Volatile.Read(ref _runCount) != 0;

    /// <summary>The whole fast path of a contiguous rent: a guard that holds a run of this stripe.</summary>
    /// <param name="tier">Where it goes back to.</param>
    /// <param name="count">Blocks of the run.</param>
    /// <param name="credit">Bytes that the stripe has to have credit for; 0 when they were charged, or there is no budget.</param>
    /// <param name="hold">Ends the charge of what leaves, when it was charged.</param>
    /// <param name="given">The guard; null for one of this stripe.</param>
    /// <returns>Null when this stripe has no guard, no run of that size or not enough credit: nothing was taken.</returns>
    public LifetimeGuard? TryRentRun(MemoryTier tier, int count, long credit, IdleHold hold, LifetimeGuard? given)
    {
        using (Hold())
        {
            int index = FindRun(count);
            if (index < 0 || (given is null && _guardCount == 0) || Credit < credit)
            {
                return null;
            }

            BlockRun run = RemoveRun(index);
            LifetimeGuard guard = given ?? PopGuard();
            _guardHistory.Observe(_guardCount);
            long bytes = (long)count * blockBytes;
            guard.HoldPiece(tier, run.Address, bytes);
            UseCredit(credit);
            EndChargeOfLeaving(hold);
            Counters.RentedBytes += bytes;
            if (CountHit())
            {
                guard.RequestSample();
            }

            return guard;
        }
    }

    /// <summary>Takes the run that was idle longest, or the end of it, where memory is divisible: the rest becomes single blocks.</summary>
    /// <param name="atMost">Blocks that are wanted; at least 1.</param>
    /// <param name="divisible">Whether memory is divisible.</param>
    /// <param name="hold">Ends the charge of what leaves.</param>
    /// <param name="run">What was taken.</param>
    /// <returns>False when nothing was taken.</returns>
    public bool TryTakeOldestRun(int atMost, bool divisible, IdleHold hold, out BlockRun run)
    {
        using (Hold())
        {
            bool taken = (divisible && TryTakeEndOfOldest(atMost, out run)) || TryTakeEndOfOldest(int.MaxValue, out run);
            EndChargeOfLeaving(hold);
            return taken;
        }
    }

    /// <summary>Makes single blocks of the run that was idle longest. Only for memory that is divisible.</summary>
    /// <returns>False when there is none, or no memory for the longer stack.</returns>
    public bool TrySplitOldestRun()
    {
        using (Hold())
        {
            return TryTakeEndOfOldest(0, out _);
        }
    }

    private bool TryPushRun(nint address, int blocks)
    {
        if (_closed || (_runCount == _runs.Length && !TryGrow(ref _runs, _runCount + 1)))
        {
            return false;
        }

        _runs[_runCount++] = new BlockRun(address, blocks, _period);
        _runBlocks += blocks;
        return true;
    }

    // Runs have different lengths: the lowest fill would not tell which of them nobody used.
    private int EndPeriodOfRuns()
    {
        _period++;
        int unused = 0;
        for (int i = 0; i < _runCount && _period - _runs[i].IdleSince > IdleHistory.Periods; i++)
        {
            unused += _runs[i].Blocks;
        }

        return unused;
    }

    private int FindRun(int blocks)
    {
        for (int i = _runCount - 1; i >= 0 && i >= _runCount - MostSearched; i--)
        {
            if (_runs[i].Blocks == blocks)
            {
                return i;
            }
        }

        return -1;
    }

    // The other blocks of the run become single ones. False when there is no run, or no memory for the longer stack: nothing was changed.
    private bool TryTakeEndOfOldest(int most, out BlockRun end)
    {
        end = default;
        int left = _runCount == 0 ? 0 : Math.Max(0, _runs[0].Blocks - most);
        if (_runCount == 0 || (_blockCount + left > _blocks.Length && !TryGrow(ref _blocks, _blockCount + left)))
        {
            return false;
        }

        BlockRun run = RemoveRun(0);
        for (int i = left - 1; i >= 0; i--)
        {
            _blocks[_blockCount++] = run.Address + ((nint)i * blockBytes);
        }

        end = new BlockRun(run.Address + ((nint)left * blockBytes), run.Blocks - left);
        return true;
    }

    private BlockRun RemoveRun(int index)
    {
        BlockRun run = _runs[index];
        _runCount--;
        _runs.AsSpan(index + 1, _runCount - index).CopyTo(_runs.AsSpan(index));
        _runBlocks -= run.Blocks;
        return run;
    }
}
