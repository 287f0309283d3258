using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

// What other threads do with it: they stop its thread, then count, trim and take what is here.
internal sealed partial class ThreadCache
{
    /// <summary>True when its thread uses it no more: it stays closed.</summary>
    public bool IsRetired => Volatile.Read(ref _retired);

    /// <summary>True when it is retired, keeps nothing and has no credit: another one may come in its place.</summary>
    public bool IsEnded => Volatile.Read(ref _ended);

    /// <summary>Whether its thread has ended.</summary>
    public bool HasThreadEnded => !_thread.TryGetTarget(out Thread? thread) || !thread.IsAlive;

    /// <summary>Whether it seems to keep blocks. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveBlocks => _magazines.BlockCount != 0;

    /// <summary>Whether it seems to keep small memory. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveSmall => _magazines.SmallCount != 0;

    /// <inheritdoc/>
    public override long ChargedIdleBytes => base.ChargedIdleBytes + _magazines.SmallBytes;

    /// <summary>Takes the guard whose block was idle longest. Called by others.</summary>
    /// <param name="hold">Ends the charge of what leaves.</param>
    /// <param name="left">How many blocks are left.</param>
    public LifetimeGuard? TakeOldestBlock(IdleHold hold, out int left)
    {
        Pause();
        LifetimeGuard? guard = _magazines.RemoveOldestBlock();
        if (guard is not null)
        {
            _blockHistory.Forget(1);
        }

        left = _magazines.BlockCount;
        hold.EndCharge(TakeCreditBeyond(left * _blockCredit));
        Resume();
        return guard;
    }

    /// <summary>Takes a guard that keeps small memory, which has to be given back then. Called by others.</summary>
    /// <param name="left">How many are left.</param>
    public LifetimeGuard? TakeSmall(out int left)
    {
        Pause();
        LifetimeGuard? guard = _magazines.RemoveOldestSmall();
        if (guard is not null)
        {
            _smallHistory.Forget(1);
        }

        left = _magazines.SmallCount;
        Resume();
        return guard;
    }

    /// <summary>How many blocks, and pieces of small memory, the policy gives back now; ends the period. Called by others.</summary>
    public (int Blocks, int Small) EndPeriod(TrimPolicy policy)
    {
        Pause();
        (int, int) due = (policy.EndPeriod(ref _blockHistory, _magazines.BlockCount), policy.EndPeriod(ref _smallHistory, _magazines.SmallCount));
        Resume();
        return due;
    }

    /// <summary>Whether its thread neither rented nor returned since this was asked last, as far as can be told: returns are not counted. Called by others.</summary>
    public bool WasNotUsed()
    {
        long uses = ((Counters.Hits + Counters.SmallRents) << 8) + _magazines.BlockCount + _magazines.SmallCount;
        return Interlocked.Exchange(ref _usesSeen, uses) == uses;
    }

    /// <summary>Whether it keeps anything. Called by others.</summary>
    public bool HasAny()
    {
        Pause();
        bool any = SeemsToHaveBlocks || SeemsToHaveSmall;
        Resume();
        return any;
    }

    /// <summary>Ends its use: its thread has ended.</summary>
    public void Retire() => _all.Retire(this);

    /// <summary>From now on it stays closed. Called by others.</summary>
    public void StayClosed()
    {
        Pause();
        _retired = true;
        _threadNumber = ThreadNumber.Nobodys;
        Resume();
    }

    /// <summary>What it kept, and its credit, was taken.</summary>
    public void End() => Volatile.Write(ref _ended, true);

    /// <inheritdoc/>
    public override bool BeginPause()
    {
        base.BeginPause();
        _owner.Close();
        return true;
    }

    /// <inheritdoc/>
    public override void AwaitPause() => _owner.AwaitOwner(_ownerLeft);

    /// <inheritdoc/>
    public override void Resume()
    {
        if (!_retired)
        {
            _owner.Open();
        }

        base.Resume();
    }
}
