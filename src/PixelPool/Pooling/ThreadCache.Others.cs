using PixelPool.Accounts;
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
    public bool SeemsToHaveBlocks => _kept.BlockCount != 0;

    /// <summary>Whether it seems to keep small memory. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveSmall => _kept.SmallCount != 0;

    /// <summary>Whether it seems to keep anything. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveAny => SeemsToHaveBlocks || SeemsToHaveSmall;

    /// <inheritdoc/>
    public override long ChargedIdleBytes => base.ChargedIdleBytes + _kept.SmallBytes;

    /// <inheritdoc/>
    public override long ChargedIdleUses => base.ChargedIdleUses + Volatile.Read(ref Counters.SmallRents);

    /// <summary>Takes the guard whose block was idle longest. Called by others.</summary>
    public LifetimeGuard? TakeOldestBlock()
    {
        Halt();
        LifetimeGuard? guard = _kept.RemoveOldestBlock();
        if (guard is not null)
        {
            _blockHistory.Forget(1);
        }

        GoOn();
        return guard;
    }

    /// <summary>Takes a guard that keeps small memory, which has to be given back then. Called by others.</summary>
    public LifetimeGuard? TakeSmall()
    {
        Halt();
        LifetimeGuard? guard = _kept.RemoveOldestSmall();
        if (guard is not null)
        {
            _smallHistory.Forget(1);
        }

        GoOn();
        return guard;
    }

    /// <summary>How many blocks, and pieces of small memory, the policy gives back now; ends the period. Called by others.</summary>
    public (int Blocks, int Small) EndPeriod(TrimPolicy policy)
    {
        Halt();
        (int, int) due = (policy.EndPeriod(ref _blockHistory, _kept.BlockCount), policy.EndPeriod(ref _smallHistory, _kept.SmallCount));
        GoOn();
        return due;
    }

    /// <summary>Whether its thread neither rented nor returned since this was asked last, as far as can be told: returns are not counted. Called by others.</summary>
    public bool WasNotUsed()
    {
        long uses = ((Counters.Hits + Counters.SmallRents) << 8) + _kept.BlockCount + _kept.SmallCount;
        return Interlocked.Exchange(ref _usesSeen, uses) == uses;
    }

    /// <summary>Whether it keeps anything. Called by others.</summary>
    public bool HasAny()
    {
        Halt();
        bool any = SeemsToHaveAny;
        GoOn();
        return any;
    }

    /// <summary>Ends its use: its thread has ended.</summary>
    public void Retire() => _all.Retire(this);

    /// <summary>From now on it stays closed. Called by others.</summary>
    public void StayClosed()
    {
        Halt();
        _retired = true;
        _threadNumber = ThreadNumber.Nobodys;
        GoOn();
    }

    /// <summary>What it kept, and its credit, was taken.</summary>
    public void End() => Volatile.Write(ref _ended, true);

    /// <inheritdoc/>
    public override bool BeginHalt()
    {
        base.BeginHalt();
        _owner.Close();
        return true;
    }

    /// <inheritdoc/>
    public override void AwaitHalt() => _owner.AwaitOwner(_ownerLeft);

    /// <inheritdoc/>
    public override void GoOn()
    {
        if (!_retired)
        {
            _owner.Open();
        }

        base.GoOn();
    }
}
