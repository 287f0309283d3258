using System.Runtime.CompilerServices;
using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>
/// One stripe of the depot: a lock, a stack of idle blocks, a stack of parked guards, and counters. Everything under the lock is a copy of
/// a few words: nothing is mapped, unmapped, cleared or (but for a growing stack) allocated there. The last block returned is the first one
/// rented again, while it is still in the cache.
/// </summary>
/// <param name="accounts">What all stripes count together.</param>
/// <param name="blockBytes">Bytes of a block.</param>
internal sealed partial class DepotStripe(MemoryAccounts accounts, int blockBytes) : AccountStripe(accounts)
{
    private nint[] _blocks = new nint[32];
    private int _blockCount;
    private bool _closed;
    private IdleHistory _history = new();

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>The whole fast path of a rent: a guard that holds <paramref name="count"/> blocks of this stripe.</summary>
    /// <param name="tier">Where they go back to.</param>
    /// <param name="count">Blocks.</param>
    /// <param name="credit">Bytes that the stripe has to have credit for; 0 when they were charged, or there is no budget.</param>
    /// <returns>Null when this stripe has no guard, not enough blocks or not enough credit, or would have too much: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryRent(MemoryTier tier, int count, long credit)
    {
        using (Hold())
        {
            int left = _blockCount - count;
            int top = _guardCount - 1;
            if (left < 0 || top < 0 || Credit < credit || (credit == 0 && Credit > IdleBytes - ((long)count * blockBytes)))
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
            long bytes = blockBytes;
            guard.HoldBlocks(tier, _blocks.AsSpan(left, count), bytes, bytes);
            _blockCount = left;
            _history.Observe(left);
            UseCredit(credit);
            Counters.RentedBytes += (long)count * blockBytes;
            if (CountHit())
            {
                guard.RequestSample();
            }

            return guard;
        }
    }

    /// <summary>Takes as many idle blocks as there are, up to the length of <paramref name="blocks"/>, the last returned first. Nobody rents them yet.</summary>
    /// <param name="blocks">Gets the addresses.</param>
    /// <param name="credit">Bytes of a single block, for which the stripe has to have credit; 0 when they were charged, or there is no budget.</param>
    /// <param name="hold">Ends the charge of what leaves, when it was charged.</param>
    /// <returns>How many were taken.</returns>
    public int Take(Span<nint> blocks, long credit, IdleHold hold)
    {
        using (Hold())
        {
            int taken = Credit < credit ? 0 : TakeLast(blocks);
            UseCredit(taken == 0 ? 0 : credit);
            EndChargeOfLeaving(hold);
            return taken;
        }
    }

    /// <summary>Takes blocks from the bottom: those that were idle longest.</summary>
    /// <param name="blocks">Gets the addresses.</param>
    /// <param name="hold">Ends the charge of what leaves.</param>
    public int TakeOldest(Span<nint> blocks, IdleHold hold)
    {
        using (Hold())
        {
            int taken = Math.Min(_blockCount, blocks.Length);
            _blocks.AsSpan(0, taken).CopyTo(blocks);
            _blocks.AsSpan(taken, _blockCount - taken).CopyTo(_blocks);
            _blockCount -= taken;
            _history.Forget(taken);
            EndChargeOfLeaving(hold);
            return taken;
        }
    }

    /// <summary>Makes blocks idle, parks the guard that held them, if any, and counts the bytes that are rented no more.</summary>
    /// <param name="guard">The guard, or null.</param>
    /// <param name="pieces">Blocks, or one run of them.</param>
    /// <param name="blocksInPiece">Blocks of a run; 1 when they are single.</param>
    /// <param name="wereRented">Whether they were rented; otherwise they came from elsewhere.</param>
    /// <param name="credit">Bytes that the stripe may keep credit for.</param>
    /// <param name="keepsCredit">Whether it does. Otherwise the caller has to release the budget, without the lock.</param>
    /// <returns>False when the depot is closed or cannot grow: blocks and guard are still the caller's, nothing was counted, no credit is kept.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReturn(LifetimeGuard? guard, ReadOnlySpan<nint> pieces, int blocksInPiece, bool wereRented, long credit, out bool keepsCredit)
    {
        using (Hold())
        {
            bool pushed = blocksInPiece == 1 ? TryPush(pieces) : TryPushRun(pieces[0], blocksInPiece);
            keepsCredit = pushed && (credit == 0 || !IsRecalled);
            if (pushed)
            {
                Credit += keepsCredit ? credit : 0;
                Counters.RentedBytes -= wereRented ? (long)pieces.Length * blocksInPiece * blockBytes : 0;
                if (guard is not null)
                {
                    Park(guard);
                }
            }

            return pushed;
        }
    }

    /// <summary>How many single blocks are idle. A hint: others may be changing that.</summary>
    public int SingleBlocks => Volatile.Read(ref _blockCount);

    /// <summary>How many single blocks, blocks of runs, and parked guards the policy gives back now; ends the period.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="blocksBefore">How many single blocks were here before those came that were idle elsewhere during the period.</param>
    public (int Single, int InRuns, int Guards) EndPeriod(TrimPolicy policy, int blocksBefore)
    {
        using (Hold())
        {
            _history.Add(Math.Max(0, _blockCount - blocksBefore));
            return (
                policy.Due(_blockCount, _history.EndPeriod(_blockCount)),
                policy.Due(_runBlocks, EndPeriodOfRuns()),
                policy.Due(_guardCount, _guardHistory.EndPeriod(_guardCount)));
        }
    }

    /// <summary>Whether there is something that trimming could give back or let go: blocks, or more guards than a few.</summary>
    public bool HasIdle => IdleBlocks != 0 || SurplusGuards > 0;

    public int IdleBlocks
    {
        get
        {
            using (Hold())
            {
                return _blockCount + _runBlocks;
            }
        }
    }

    /// <summary>From now on nothing is put here: what comes back goes to the system.</summary>
    public void Close()
    {
        using (Hold())
        {
            _closed = true;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void UseCredit(long bytes)
    {
        Counters.ChargedUses++;
        Volatile.Write(ref Credit, Credit - bytes);
    }

    // What was taken from here takes its charge with it: there is never more credit than is idle here.
    private void EndChargeOfLeaving(IdleHold hold)
    {
        long beyond = Math.Max(0, Credit - IdleBytes);
        Volatile.Write(ref Credit, Credit - beyond);
        hold.EndCharge(beyond);
    }

    private int TakeLast(Span<nint> blocks)
    {
        int taken = Math.Min(_blockCount, blocks.Length);
        _blockCount -= taken;
        _blocks.AsSpan(_blockCount, taken).CopyTo(blocks);
        _history.Observe(_blockCount);
        return taken;
    }

    private long IdleBytes => (long)(_blockCount + _runBlocks) * blockBytes;

    private bool TryPush(ReadOnlySpan<nint> blocks)
    {
        int count = _blockCount + blocks.Length;
        if (_closed || (count > _blocks.Length && !TryGrow(ref _blocks, count)))
        {
            return false;
        }

        blocks.CopyTo(_blocks.AsSpan(_blockCount));
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
