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
    public bool SeemsToHaveBlocks => Volatile.Read(ref _blockCount) != 0 || Volatile.Read(ref _last) is { KeptSize: Block };

    /// <summary>Whether it seems to keep small memory. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveSmall => _small.Count != 0 || Volatile.Read(ref _last) is { KeptSize: not Block };

    /// <summary>Whether it seems to keep anything. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveAny => Volatile.Read(ref _blockCount) != 0 || _small.Count != 0 || Volatile.Read(ref _last) is not null;

    /// <summary>Takes the guard whose block was idle longest: that counts as moving. Called by others.</summary>
    public LifetimeGuard? TakeOldestBlock()
    {
        Halt();
        LifetimeGuard? guard = RemoveBlock();
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
        LifetimeGuard? guard = _small.RemoveOldest() ?? (LastIsSmall ? RemoveLast() : null);
        if (guard is not null)
        {
            _smallHistory.Forget(1);
            Counters.Release(guard.HeldBytes, guard.Tier!.IsCutFromBlocks);
        }

        GoOn();
        return guard;
    }

    /// <summary>How many blocks, and pieces of small memory, the policy gives back now, and whether the thread rented nothing and keeps nothing; ends the period. Called by others.</summary>
    public (int Blocks, int Small, bool IsUnused) EndPeriod(TrimPolicy policy)
    {
        Halt();
        long rents = Counters.Hits + Counters.SmallRents;
        bool isUnused = rents == _rentsBefore && BlockCount + SmallCount == 0;
        _rentsBefore = rents;
        (int, int, bool) due = (policy.EndPeriod(ref _blockHistory, BlockCount), policy.EndPeriod(ref _smallHistory, SmallCount), isUnused);
        GoOn();
        return due;
    }

    /// <summary>Whether it keeps anything. Called by others.</summary>
    public bool HasAny()
    {
        Halt();
        bool any = BlockCount + SmallCount != 0;
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

    /// <inheritdoc/>
    public override long ReadInto(ref StripeCounters sums)
    {
        long idle = base.ReadInto(ref sums);
        sums.RentedBytes -= idle;
        return idle;
    }

    /// <inheritdoc/>
    protected override long CountIdleBytes() => ((long)BlockCount * _blockBytes) + _small.Bytes + (LastIsSmall ? _last!.HeldBytes : 0);

    private LifetimeGuard? RemoveBlock()
    {
        if (BlockCount == 0)
        {
            return null;
        }

        Counters.RentedBytes -= _blockBytes;
        Counters.MovingBytes += _blockBytes;
        if (_blockCount == 0)
        {
            return RemoveLast();
        }

        LifetimeGuard guard = _blocks[0]!;
        _blockCount--;
        _blocks.AsSpan(1, _blockCount).CopyTo(_blocks);
        _blocks[_blockCount] = null;
        return guard;
    }
}
