using System.Runtime.CompilerServices;
using PixelPool.Accounts;
using PixelPool.Lifetime;
using PixelPool.Threading;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>
/// What one thread returned last, for that thread to rent next: guards that keep their memory. The thread takes and returns them with plain loads and stores.
/// Others count, trim and take what is here through the <see cref="OwnedGate"/>.
/// </summary>
/// <remarks>
/// Invariants. A guard in here has one block, one array, or one piece of a slab, and nothing else: no budget but the allocator's, nothing fresh, nothing to tell. It stays counted as
/// rented, so that a hit writes no account, and is taken off whenever somebody reads. With a budget blocks are charged by the credit of the cache, as in a stripe, and small memory is
/// not kept. A guard that comes from here and was not used for anything else names the cache as its keeper: so its return asks for nothing but the thread.
/// </remarks>
internal sealed class ThreadCache : AccountStripe
{
    // A thread keeps at most 8 MiB of blocks, beside small memory.
    private const int MostBlockBytes = 8 << 20;
    private const int MostBlocks = 8;

    // Nothing of a size is rented that was full so often in a row. By chance that is rare: once in 2⁸, where as many are rented as returned.
    private const int OnlyReturned = 8;

    // The size of a block, beside those of small memory.
    private const int Block = -1;

    private readonly ThreadCaches _all;
    private readonly TrimScheduler? _scheduler;
    private readonly long _blockCredit;
    private readonly object _ownerLeft = new();
    private readonly int _blockBytes;
    private readonly LifetimeGuard?[] _blocks;
    private OwnedGate _owner;
    private SmallKept _small = new(mostOfSize: 8, mostBytesOfSize: 256 << 10, mostBytes: (4 << 20) - 1);
    private int _blockCount;
    private long _rentsBefore;
    private IdleHistory _blockHistory = new();
    private IdleHistory _smallHistory = new();
    private bool _retired;
    private bool _ended;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <param name="all">All caches of the pool.</param>
    /// <param name="accounts">What all stripes count together.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="blockCredit">Bytes of credit for a block that is kept; 0 when there is no budget.</param>
    /// <param name="scheduler">The pool's scheduler, if it has one.</param>
    /// <param name="predecessor">The retired cache in whose place this one comes, if there is one: what that counted is counted on.</param>
    public ThreadCache(ThreadCaches all, MemoryAccounts accounts, int blockBytes, long blockCredit, TrimScheduler? scheduler, ThreadCache? predecessor)
        : base(accounts)
    {
        _all = all;
        _blockBytes = blockBytes;
        _blockCredit = blockCredit;
        _scheduler = scheduler;
        _blocks = new LifetimeGuard?[Math.Max(1, Math.Min(MostBlocks, MostBlockBytes / blockBytes))];
        Counters = predecessor?.Counters ?? default;
    }

    /// <summary>By which its thread knows it. Null until that is the case.</summary>
    public ThreadSlot? Slot { get; set; }

    /// <summary>True when its thread uses it no more: it stays closed.</summary>
    public bool IsRetired => Volatile.Read(ref _retired);

    /// <summary>True when it is retired, keeps nothing and has no credit: another one may come in its place.</summary>
    public bool IsEnded => Volatile.Read(ref _ended);

    /// <summary>Whether it seems to keep blocks. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveBlocks => Volatile.Read(ref _blockCount) != 0;

    /// <summary>Whether it seems to keep small memory. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveSmall => _small.Count != 0;

    /// <summary>Whether it seems to keep anything. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveAny => Volatile.Read(ref _blockCount) != 0 || SeemsToHaveSmall;

    /// <summary>The whole rent of one block. Called by the owner.</summary>
    /// <returns>Null when there is no block, or not enough credit: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryRentBlock()
    {
        LifetimeGuard? guard = null;
        if (_owner.TryEnter())
        {
            int left = _blockCount - 1;
            if (left >= 0 && TryUseBlockCredit())
            {
                ref LifetimeGuard? last = ref _blocks[left];
                guard = last!;
                last = null;
                _blockCount = left;
                _blockHistory.Observe(left);
                if (CountHit())
                {
                    guard.AskForLook();
                }

                guard.HoldAgain();
            }
        }

        Leave();
        return guard;
    }

    /// <summary>The whole rent of an array. Called by the owner.</summary>
    /// <param name="size">The size of arrays that may serve.</param>
    /// <param name="bytes">Bytes of the rent.</param>
    /// <returns>Null when there is no array of that size with room to read beside it: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryRentArray(int size, int bytes)
    {
        LifetimeGuard? guard = null;
        if (_owner.TryEnter())
        {
            guard = LastSmall(size);
            if (guard is not null && ArrayMargin.TryFind(guard.Array!, bytes, out int offset))
            {
                CountSmall(guard, size);
                guard.HoldArrayAgain(offset);
            }
            else
            {
                guard = null;
            }
        }

        Leave();
        return guard;
    }

    /// <summary>The whole rent of a piece of a slab. Called by the owner.</summary>
    /// <param name="size">The size of the piece.</param>
    /// <returns>Null when there is none: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryRentPiece(int size)
    {
        LifetimeGuard? guard = null;
        if (_owner.TryEnter())
        {
            guard = LastSmall(size);
            if (guard is not null)
            {
                CountSmall(guard, size);
                guard.HoldAgain();
            }
        }

        Leave();
        return guard;
    }

    /// <summary>Keeps the block of a guard whose rent has ended. Called by the owner.</summary>
    /// <param name="guard">The guard: it has one block, and nothing else is to be done.</param>
    /// <returns>False when it does not: nothing was done.</returns>
    public bool TryReturnBlock(LifetimeGuard guard)
    {
        guard.SetKeeper(this, Block);
        return TryReturnAgain(guard);
    }

    /// <summary>Keeps small memory of a guard whose rent has ended. Called by the owner.</summary>
    /// <param name="guard">The guard: it has one array, or one piece, and nothing else is to be done.</param>
    /// <param name="size">The size of what it holds.</param>
    /// <returns>False when it does not: nothing was done.</returns>
    public bool TryReturnSmall(LifetimeGuard guard, int size)
    {
        if ((uint)size >= SmallKept.Sizes)
        {
            return false;
        }

        guard.SetKeeper(this, size);
        return TryReturnAgain(guard);
    }

    /// <summary>Keeps what it kept before the rent that has ended. Called by the owner.</summary>
    /// <param name="guard">A guard of which this is the keeper, and with which nothing else is to be done.</param>
    /// <returns>False when it does not: nothing was done.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReturnAgain(LifetimeGuard guard)
    {
        bool kept = false;
        if (_owner.TryEnter())
        {
            kept = !guard.IsFinalizationPending && (guard.KeptSize == Block ? TryKeepBlock(guard) : TryKeepSmall(guard));
        }

        Leave();
        if (kept)
        {
            if (_scheduler is not null && !_scheduler.IsArmed)
            {
                _scheduler.Arm();
            }

            ReturnSignal.Notify();
        }

        return kept;
    }

    /// <summary>Takes the guard whose block was idle longest. Called by others.</summary>
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

    /// <summary>Takes a guard that keeps small memory. Called by others.</summary>
    public LifetimeGuard? TakeSmall()
    {
        Halt();
        LifetimeGuard? guard = _small.RemoveOldest();
        if (guard is not null)
        {
            _smallHistory.Forget(1);
        }

        GoOn();
        return guard;
    }

    /// <summary>How many blocks, and pieces of small memory, the policy gives back now, and whether the thread rented nothing and keeps nothing; ends the period. Called by others.</summary>
    public (int Blocks, int Small, bool IsUnused) EndPeriod(TrimPolicy policy)
    {
        Halt();
        long rents = Counters.Hits + Counters.SmallRents;
        bool isUnused = rents == _rentsBefore && _blockCount + _small.Count == 0;
        _rentsBefore = rents;
        (int, int, bool) due = (policy.EndPeriod(ref _blockHistory, _blockCount), policy.EndPeriod(ref _smallHistory, _small.Count), isUnused);
        GoOn();
        return due;
    }

    /// <summary>Whether it keeps anything. Called by others.</summary>
    public bool HasAny()
    {
        Halt();
        bool any = _blockCount + _small.Count != 0;
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
    public override long ReadInto(ref StripeCounters sums, long reading)
    {
        long idle = base.ReadInto(ref sums, reading) + _small.CountIdle(reading);
        sums.RentedBytes -= idle;
        return idle;
    }

    /// <inheritdoc/>
    protected override long CountIdleBytes() => (long)_blockCount * _blockBytes;

    // After every attempt to enter.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Leave()
    {
        if (_owner.Exit())
        {
            OwnedGate.Wake(_ownerLeft);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryUseBlockCredit()
    {
        if (_blockCredit == 0)
        {
            return true;
        }

        if (!HasBlockCredit(_blockCredit))
        {
            return false;
        }

        UseBlockCredit(_blockCredit);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryKeepBlock(LifetimeGuard guard)
    {
        int count = _blockCount;
        if ((uint)count >= (uint)_blocks.Length || (_blockCredit != 0 && !TryKeepBlockCredit(_blockCredit)))
        {
            return false;
        }

        _blocks[count] = guard;
        _blockCount = count + 1;
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryKeepSmall(LifetimeGuard guard)
    {
        if (guard.IsPinned)
        {
            return false;
        }

        int size = guard.KeptSize;
        int bytes = (int)guard.LastBlockBytes;
        return _small.TryAdd(size, bytes, guard) || (TryPassOn(size, bytes) && _small.TryAdd(size, bytes, guard));
    }

    // Only what the thread returns and does not rent: others that rent as much as they return would fetch what they pass on, one from the other.
    private bool TryPassOn(int size, int bytes)
    {
        int times = _small.CountFull(size);
        bool passed = times >= OnlyReturned && _all.Exchange is { } exchange && exchange.TryTakeOver(ref _small, size, bytes);
        _small.RememberFull(size, Math.Min(times, OnlyReturned));
        return passed;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private LifetimeGuard? LastSmall(int size) => _small.Last(size) ?? FetchSmall(size);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? FetchSmall(int size) => _all.Exchange is { } exchange && exchange.TryHandOut(ref _small, size) ? _small.Last(size) : null;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountSmall(LifetimeGuard guard, int size)
    {
        _small.RemoveLast(size, (int)guard.LastBlockBytes);
        _smallHistory.Observe(_small.Count);
        Counters.SmallRents++;
        if (CountOther())
        {
            guard.AskForLook();
        }
    }

    private LifetimeGuard? RemoveBlock()
    {
        if (_blockCount == 0)
        {
            return null;
        }

        LifetimeGuard guard = _blocks[0]!;
        Counters.RentedBytes -= _blockBytes;
        _blockCount--;
        _blocks.AsSpan(1, _blockCount).CopyTo(_blocks);
        _blocks[_blockCount] = null;
        return guard;
    }
}
