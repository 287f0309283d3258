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
internal sealed partial class ThreadCache : AccountStripe
{
    // A thread keeps at most 8 MiB of blocks, beside small memory: of that less than 4 MiB, and the piece that came last.
    private const int MostBlockBytes = 8 << 20;
    private const int MostBlocks = 8;

    // The size of a block, beside those of small memory, and that of nothing.
    private const int Block = -1;
    private const int Nothing = -2;

    private readonly ThreadCaches _all;
    private readonly TrimScheduler? _scheduler;
    private readonly long _blockCredit;
    private readonly object _ownerLeft = new();

    // Weak: a thread may lead to everything that flows with it, and the runtime itself holds those that run.
    private readonly WeakReference<Thread> _thread = new(Thread.CurrentThread);
    private readonly int _blockBytes;
    private readonly LifetimeGuard?[] _blocks;
    private long _threadNumber = ThreadNumber.Claim();
    private OwnedGate _owner;

    private SmallKept _small = new(mostOfSize: 8, mostBytes: (4 << 20) - 1);
    private int _blockCount;
    private long _rentsBefore;
    private IdleHistory _blockHistory = new();
    private IdleHistory _smallHistory = new();

    private bool _retired;
    private bool _ended;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>Made by the thread whose cache it is.</summary>
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

    /// <summary>Whether it is that of the calling thread. A retired one is nobody's: its thread may have another one.</summary>
    public bool IsMine
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _threadNumber == ThreadNumber.Mine;
    }

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
                _wanted = Block;
                CountBlock(guard);
                guard.HoldAgain();
            }
        }

        Leave();
        return guard;
    }

    /// <summary>Keeps the block of a guard whose rent has ended. Called by the owner.</summary>
    /// <param name="guard">The guard: it has one block, and nothing else is to be done.</param>
    /// <param name="least">The fewest bytes for which a block serves.</param>
    /// <returns>False when it does not: nothing was done.</returns>
    public bool TryReturnBlock(LifetimeGuard guard, int least)
    {
        guard.SetKeeper(this, Block, least, _blockBytes);
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
            kept = !guard.IsFinalizationPending && !guard.IsPinned && (TryKeepAsLast(guard) || TryKeepBehind(guard));
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

    // One of the stack is rented only when what came last is no block: so that is not among those that are left.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountBlock(LifetimeGuard guard)
    {
        _blockHistory.Observe(_blockCount);
        if (CountHit())
        {
            guard.AskForLook();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryKeepBehind(LifetimeGuard guard)
    {
        int size = guard.KeptSize;
        if (size == _wanted && TryMakePlace(size) && TryKeepAsLast(guard))
        {
            return true;
        }

        if (size != Block)
        {
            return TryKeepSmall(guard);
        }

        if (!TryKeepCreditOfBlock())
        {
            return false;
        }

        _blocks[_blockCount++] = guard;
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryKeepCreditOfBlock() => BlockCount < _blocks.Length && (_blockCredit == 0 || TryKeepBlockCredit(_blockCredit));
}
