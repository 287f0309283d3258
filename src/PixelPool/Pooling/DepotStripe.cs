using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Threading;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>
/// One stripe of the depot: a lock, a stack of idle blocks, a stack of parked guards, and counters. Everything under the lock is a copy of
/// a few words: nothing is mapped, unmapped, cleared or (but for a growing stack) allocated there. The last block returned is the first one
/// rented again, while it is still in the cache.
/// </summary>
internal sealed partial class DepotStripe(RentTracking tracking) : CacheLineApart
{
#pragma warning disable IDE0044, CS0649 // a lock that is a word is changed in place
    private StripeLock _gate;
#pragma warning restore IDE0044, CS0649
    private nint[] _blocks = new nint[32];
    private int _blockCount;
    private bool _closed;
    private IdleHistory _history = new();
    private StripeCounters _counters;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>The whole fast path of a rent: a guard that holds <paramref name="count"/> blocks of this stripe.</summary>
    /// <returns>Null when this stripe has no guard or not enough blocks: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryRent(int count, int blockBytes)
    {
        _gate.Enter(this);
        try
        {
            int left = _blockCount - count;
            int top = _guardCount - 1;
            if (left < 0 || top < 0)
            {
                return null;
            }

            LifetimeGuard guard = _guards[top]!;
            if (guard.BlockCapacity < count)
            {
                return null;
            }

            _guards[top] = null;
            _guardCount = top;
            _guardHistory.Observe(top);
            guard.TakeBlocks(_blocks.AsSpan(left, count));
            _blockCount = left;
            _history.Observe(left);
            CountHit(guard);
            _counters.RentedBytes += (long)count * blockBytes;
            return guard;
        }
        finally
        {
            _gate.Exit(this);
        }
    }

    /// <summary>Takes as many idle blocks as there are, up to the length of <paramref name="blocks"/>, the last returned first.</summary>
    /// <returns>How many were taken.</returns>
    public int Take(Span<nint> blocks)
    {
        _gate.Enter(this);
        try
        {
            int taken = Math.Min(_blockCount, blocks.Length);
            _blockCount -= taken;
            _blocks.AsSpan(_blockCount, taken).CopyTo(blocks);
            _history.Observe(_blockCount);
            return taken;
        }
        finally
        {
            _gate.Exit(this);
        }
    }

    /// <summary>Takes blocks from the bottom: those that were idle longest.</summary>
    public int TakeOldest(Span<nint> blocks)
    {
        _gate.Enter(this);
        try
        {
            int taken = Math.Min(_blockCount, blocks.Length);
            _blocks.AsSpan(0, taken).CopyTo(blocks);
            _blocks.AsSpan(taken, _blockCount - taken).CopyTo(_blocks);
            _blockCount -= taken;
            _history.Forget(taken);
            return taken;
        }
        finally
        {
            _gate.Exit(this);
        }
    }

    /// <summary>
    /// Makes blocks idle, parks the guard that held them, if any, and counts the bytes that are rented no more. Says whether the caller has to
    /// arm the scheduler's timer.
    /// </summary>
    /// <returns>False when the depot is closed or can not grow: blocks and guard are still the caller's, nothing was counted.</returns>
    public bool TryReturn(LifetimeGuard? guard, ReadOnlySpan<nint> blocks, long rentedBytes, TrimScheduler? scheduler, out bool mustArm)
    {
        _gate.Enter(this);
        try
        {
            mustArm = scheduler is not null && !scheduler.IsArmed;
            if (!TryPush(blocks))
            {
                return false;
            }

            EndRent(guard, rentedBytes);
            return true;
        }
        finally
        {
            _gate.Exit(this);
        }
    }

    public void Count(in StripeCounters change)
    {
        _gate.Enter(this);
        try
        {
            _counters.Add(change);
        }
        finally
        {
            _gate.Exit(this);
        }
    }

    /// <summary>Stops every rent and return of this stripe, for as long as it takes to sum all stripes up at one moment.</summary>
    public void Halt() => _gate.Enter(this);

    /// <summary>Ends <see cref="Halt"/>.</summary>
    public void GoOn() => _gate.Exit(this);

    /// <summary>Adds this stripe's share to the sums. To be called while it is halted.</summary>
    /// <returns>Idle blocks.</returns>
    public int ReadInto(ref StripeCounters sums)
    {
        sums.Add(_counters);
        return _blockCount + _runBlocks;
    }

    /// <summary>How many single blocks, blocks of runs, and parked guards the policy gives back now; ends the period.</summary>
    public (int Single, int InRuns, int Guards) EndPeriod(TrimPolicy policy)
    {
        _gate.Enter(this);
        try
        {
            return (
                policy.EndPeriod(ref _history, _blockCount),
                EndPeriodOfRuns(policy),
                policy.EndPeriod(ref _guardHistory, _guardCount));
        }
        finally
        {
            _gate.Exit(this);
        }
    }

    /// <summary>Whether there is something that trimming could give back or let go: blocks, or more guards than a few.</summary>
    public bool HasIdle
    {
        get
        {
            _gate.Enter(this);
            try
            {
                return _blockCount + _runBlocks != 0 || _guardCount > FewGuards;
            }
            finally
            {
                _gate.Exit(this);
            }
        }
    }

    public int IdleBlocks
    {
        get
        {
            _gate.Enter(this);
            try
            {
                return _blockCount + _runBlocks;
            }
            finally
            {
                _gate.Exit(this);
            }
        }
    }

    /// <summary>From now on nothing is put here: what comes back goes to the system.</summary>
    public LifetimeGuard?[] Close()
    {
        _gate.Enter(this);
        try
        {
            _closed = true;
            LifetimeGuard?[] parked = _guards.AsSpan(0, _guardCount).ToArray();
            _guards = [];
            _guardCount = 0;
            return parked;
        }
        finally
        {
            _gate.Exit(this);
        }
    }

    private bool TryPush(ReadOnlySpan<nint> blocks)
    {
        int count = _blockCount + blocks.Length;
        if (_closed || (count > _blocks.Length && !TryGrow(ref _blocks, count)))
        {
            return false;
        }

        if (blocks.Length == 1)
        {
            _blocks[_blockCount] = blocks[0];
        }
        else
        {
            blocks.CopyTo(_blocks.AsSpan(_blockCount));
        }

        _blockCount = count;
        return true;
    }

    private static bool TryGrow<T>(ref T[] stack, int atLeast)
    {
        try
        {
            Array.Resize(ref stack, Math.Max(stack.Length * 2, atLeast));
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }
}
