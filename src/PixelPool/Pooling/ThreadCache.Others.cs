using PixelPool.Lifetime;

namespace PixelPool.Pooling;

// What other threads do with it: they stop its thread, then count, trim and take what is here.
internal sealed partial class ThreadCache
{
    /// <summary>True when its thread uses it no more: it stays closed.</summary>
    public bool IsRetired => Volatile.Read(ref _threadNumber) == ThreadNumber.Nobodys;

    /// <inheritdoc/>
    public override long ChargedIdleBytes => base.ChargedIdleBytes + (BlockCount * chargedBlockBytes);

    /// <summary>Takes a guard that keeps a block. Called by others.</summary>
    public LifetimeGuard? TakeBlock()
    {
        Pause();
        LifetimeGuard? guard = Magazines.Take(Magazines.Block);
        _blocksSeen.Rents = -1;
        Resume();
        return guard;
    }

    /// <summary>Ends a period. Called by others, by one at a time.</summary>
    /// <returns>Whether its blocks, and its small memory, lay here all through it, as far as can be told: nothing was rented, others took no block, and there is as much as before.</returns>
    public (bool Blocks, bool Small) EndPeriod()
    {
        (long Rents, int Count) blocks = (Counters.Hits, BlockCount);
        (long Rents, long Bytes) small = (Counters.SmallRents, SmallBytes);
        (bool, bool) unused = (blocks == _blocksSeen, small == _smallSeen);
        (_blocksSeen, _smallSeen) = (blocks, small);
        return unused;
    }

    /// <summary>Whether its thread has neither rented nor returned for a while, as far as can be told: returns are not counted. Called by others.</summary>
    public bool WasNotUsed()
    {
        long uses = ((Counters.Hits + Counters.SmallRents) << 24) + BlockCount + SmallBytes;
        if (Interlocked.Exchange(ref _usesSeen, uses) != uses)
        {
            _usesSeenAt = TimeProvider.System.GetTimestamp();
        }

        return TimeProvider.System.GetElapsedTime(_usesSeenAt).TotalMilliseconds >= UnusedMilliseconds;
    }

    /// <summary>Ends its use: its thread has ended.</summary>
    public void Retire() => all.Retire(this);

    /// <summary>From now on it stays closed. Called by others.</summary>
    public void StayClosed()
    {
        Pause();
        Volatile.Write(ref _threadNumber, ThreadNumber.Nobodys);
        Resume();
    }

    /// <inheritdoc/>
    public override bool BeginPause()
    {
        _paused = _pauses.Hold();
        _owner.Close();
        return true;
    }

    /// <inheritdoc/>
    public override void AwaitPause() => _owner.AwaitOwner(_ownerLeft);

    /// <inheritdoc/>
    public override void Resume()
    {
        if (!IsRetired)
        {
            _owner.Open();
        }

        _paused.Dispose();
    }
}
