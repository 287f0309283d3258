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

    /// <summary>The whole fast path of a contiguous rent: a guard that holds a run of this stripe.</summary>
    /// <param name="tier">Where it goes back to.</param>
    /// <param name="atLeast">Blocks that the run must have.</param>
    /// <param name="atMost">Blocks that it may have.</param>
    /// <param name="credit">Bytes that the stripe has to have credit for; 0 when they were charged, or there is no budget.</param>
    /// <returns>Null when this stripe has no guard, no run of that size or not enough credit, or would have too much: nothing was taken.</returns>
    public LifetimeGuard? TryRentRun(MemoryTier tier, int atLeast, int atMost, long credit)
    {
        // A hint: others may be changing that.
        if (Volatile.Read(ref _runCount) == 0)
        {
            return null;
        }

        using (Hold())
        {
            int index = FindRun(atLeast, atMost);
            if (index < 0 || _guardCount == 0 || !HasCredit(credit) || (credit == 0 && HasCreditBeyond(IdleBytes - ((long)_runs[index].Blocks * blockBytes))))
            {
                return null;
            }

            BlockRun run = RemoveRun(index);
            LifetimeGuard guard = PopGuard();
            _guardHistory.Observe(_guardCount);
            long bytes = (long)run.Blocks * blockBytes;
            guard.HoldPiece(tier, run.Address, bytes);
            UseCredit(credit);
            Counters.RentedBytes += bytes;
            if (CountHit())
            {
                guard.RequestSample();
            }

            return guard;
        }
    }

    /// <summary>Takes the run of a size that was used last, or the end of a longer one. What is left of that stays idle: it is never seen by nobody.</summary>
    /// <param name="count">Blocks that are wanted.</param>
    /// <param name="atMost">Blocks that the run may have.</param>
    /// <param name="cuts">Whether a run that has more than wanted is cut. Only for memory that is divisible.</param>
    /// <param name="hold">Ends the charge of what leaves: what it is for is charged already.</param>
    /// <param name="run">What was taken.</param>
    public bool TryTakeRun(int count, int atMost, bool cuts, IdleHold hold, out BlockRun run)
    {
        using (Hold())
        {
            int index = FindRun(count, atMost);
            run = default;
            bool taken = index >= 0 && TryTakeEnd(index, cuts ? count : _runs[index].Blocks, out run);
            hold.EndCharge(TakeCreditBeyond(IdleBytes));
            return taken;
        }
    }

    /// <summary>Takes the run that was idle longest, or as much of its end as is asked for.</summary>
    /// <param name="atMost">Blocks that are wanted; at least 1.</param>
    /// <param name="divisible">Whether a part of a run may be taken. Otherwise all of it is.</param>
    /// <param name="hold">Ends the charge of what leaves.</param>
    /// <param name="run">What was taken.</param>
    public bool TryTakeOldestRun(int atMost, bool divisible, IdleHold hold, out BlockRun run)
    {
        using (Hold())
        {
            run = default;
            bool taken = _runCount != 0 && ((divisible && TryTakeEnd(0, atMost, out run)) || TryTakeEnd(0, int.MaxValue, out run));
            hold.EndCharge(TakeCreditBeyond(IdleBytes));
            return taken;
        }
    }

    /// <summary>Makes single blocks of the run that was idle longest. Only for memory that is divisible.</summary>
    /// <returns>False when there is none, or no memory for the longer stack.</returns>
    public bool TrySplitOldestRun()
    {
        using (Hold())
        {
            if (_runCount == 0)
            {
                return false;
            }

            BlockRun run = _runs[0];
            int count = _blockCount + run.Blocks;
            if (count > _blocks.Length && !TryGrow(ref _blocks, count))
            {
                return false;
            }

            RemoveRun(0);
            for (int i = run.Blocks - 1; i >= 0; i--)
            {
                _blocks[_blockCount++] = run.Address + ((nint)i * blockBytes);
            }

            return true;
        }
    }

    /// <summary>As <see cref="TryReturn"/>, for a run.</summary>
    public bool TryReturnRun(LifetimeGuard guard, BlockRun run, long credit, out bool keepsCredit)
    {
        using (Hold())
        {
            keepsCredit = false;
            if (_closed || (_runCount == _runs.Length && !TryGrow(ref _runs, _runCount + 1)))
            {
                return false;
            }

            keepsCredit = TryKeepCredit(credit);
            _runs[_runCount++] = run with { IdleSince = _period };
            _runBlocks += run.Blocks;
            CountIdle(guard, run.Blocks, wereRented: true);
            return true;
        }
    }

    // Runs have different lengths: the lowest fill would not tell which of them nobody used.
    private int EndPeriodOfRuns(TrimPolicy policy)
    {
        _period++;
        int unused = 0;
        for (int i = 0; i < _runCount && _period - _runs[i].IdleSince > IdleHistory.Periods; i++)
        {
            unused += _runs[i].Blocks;
        }

        return policy.DueInRuns(_runBlocks, unused);
    }

    private int FindRun(int atLeast, int atMost)
    {
        for (int i = _runCount - 1; i >= 0 && i >= _runCount - MostSearched; i--)
        {
            if (_runs[i].Blocks >= atLeast && _runs[i].Blocks <= atMost)
            {
                return i;
            }
        }

        return -1;
    }

    // What is left of a run stays where it is; one block is none. False when there is no memory for the longer stack: nothing was taken.
    private bool TryTakeEnd(int index, int atMost, out BlockRun run)
    {
        run = _runs[index];
        int left = Math.Max(0, run.Blocks - atMost);

        // Not a collection expression: on netstandard2.0 that would be an array.
        Span<nint> rest = stackalloc nint[1] { run.Address };
        if (left > 1)
        {
            _runs[index] = run with { Blocks = left };
            _runBlocks -= atMost;
        }
        else if (left == 0 || TryPush(rest))
        {
            RemoveRun(index);
        }
        else
        {
            return false;
        }

        run = new BlockRun(run.Address + ((nint)left * blockBytes), run.Blocks - left);
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
