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
/// Invariants. A guard in here has one block, or one array of a length that is a power of two, and nothing else: no budget but the allocator's, nothing fresh, nothing to tell. It counts as
/// idle. With a budget, blocks are charged by the credit of the cache, as in a stripe.
/// </remarks>
internal sealed class ThreadCache : AccountStripe
{
    // A thread keeps at most 8 MiB of blocks, and one to eight arrays of a length, of at most 256 KiB together or one alone: below 4 MiB in all.
    private const int MostBlockBytes = 8 << 20;
    private const int MostBlocks = 8;
    private const int MostArrayBytes = 256 << 10;
    private const int MostArrays = 8;
    private const int SmallestShift = 4;
    private const int LargestShift = 20;

    private readonly ThreadCaches _all;
    private readonly object _ownerLeft = new();
    private readonly int _blockBytes;
    private readonly LifetimeGuard?[] _blocks;
    private readonly LifetimeGuard?[] _arrays = new LifetimeGuard?[(LargestShift - SmallestShift + 1) * MostArrays];
    private readonly int[] _arrayCounts = new int[LargestShift - SmallestShift + 1];
    private OwnedGate _owner;
    private int _blockCount;
    private int _arrayCount;
    private long _arrayBytes;
    private long _rentsBefore;
    private IdleHistory _blockHistory = new();
    private IdleHistory _arrayHistory = new();
    private bool _retired;
    private bool _ended;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <param name="all">All caches of the pool.</param>
    /// <param name="accounts">What all stripes count together.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="predecessor">The retired cache in whose place this one comes, if there is one: what that counted is counted on.</param>
    public ThreadCache(ThreadCaches all, MemoryAccounts accounts, int blockBytes, ThreadCache? predecessor)
        : base(accounts)
    {
        _all = all;
        _blockBytes = blockBytes;
        _blocks = new LifetimeGuard?[Math.Max(1, Math.Min(MostBlocks, MostBlockBytes / blockBytes))];
        Counters = predecessor?.Counters ?? default;
    }

    /// <summary>True when its thread uses it no more: it stays closed.</summary>
    public bool IsRetired => Volatile.Read(ref _retired);

    /// <summary>True when it is retired, keeps nothing and has no credit: another one may come in its place.</summary>
    public bool IsEnded => Volatile.Read(ref _ended);

    /// <summary>Whether it seems to keep blocks. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveBlocks => Volatile.Read(ref _blockCount) != 0;

    /// <summary>Whether it seems to keep anything. A hint: its thread may be changing that.</summary>
    public bool SeemsToHaveAny => Volatile.Read(ref _blockCount) + Volatile.Read(ref _arrayCount) != 0;

    /// <summary>The whole rent of one block. Called by the owner.</summary>
    /// <param name="credit">Bytes that the cache has to have credit for; 0 when there is no budget.</param>
    /// <returns>Null when there is no block, or not enough credit: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryRentBlock(long credit)
    {
        LifetimeGuard? guard = null;
        if (_owner.TryEnter(_ownerLeft))
        {
            int left = _blockCount - 1;
            if (left >= 0 && HasBlockCredit(credit))
            {
                guard = _blocks[left]!;
                _blocks[left] = null;
                _blockCount = left;
                _blockHistory.Observe(left);
                UseBlockCredit(credit);
                Counters.RentedBytes += _blockBytes;
                if (CountHit())
                {
                    guard.AskForLook();
                }

                guard.HoldAgain();
            }

            _owner.Exit(_ownerLeft);
        }

        return guard;
    }

    /// <summary>Keeps the block of a guard whose rent has ended. Called by the owner.</summary>
    /// <param name="guard">The guard.</param>
    /// <param name="credit">Bytes that the cache may keep credit for.</param>
    /// <returns>False when it does not: nothing was done.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReturnBlock(LifetimeGuard guard, long credit)
    {
        bool kept = false;
        if (_owner.TryEnter(_ownerLeft))
        {
            int count = _blockCount;
            if ((uint)count < (uint)_blocks.Length && !guard.IsFinalizationPending && TryKeepBlockCredit(credit))
            {
                _blocks[count] = guard;
                _blockCount = count + 1;
                Counters.RentedBytes -= _blockBytes;
                kept = true;
            }

            _owner.Exit(_ownerLeft);
        }

        return kept;
    }

    /// <summary>The whole rent of an array. Called by the owner.</summary>
    /// <param name="bytes">Bytes of the rent.</param>
    /// <returns>Null when there is no array of that size with room to read beside it: nothing was taken.</returns>
    public LifetimeGuard? TryRentArray(int bytes)
    {
        int shift = Shift(bytes);
        if (shift > LargestShift || bytes == 0 || !_owner.TryEnter(_ownerLeft))
        {
            return null;
        }

        LifetimeGuard? guard = null;
        int left = _arrayCounts[shift - SmallestShift] - 1;
        if (left >= 0)
        {
            ref LifetimeGuard? place = ref _arrays[((shift - SmallestShift) * MostArrays) + left];
            if (ArrayMargin.TryFind(place!.Array!, bytes, out int offset))
            {
                guard = place;
                place = null;
                _arrayCounts[shift - SmallestShift] = left;
                _arrayHistory.Observe(--_arrayCount);
                _arrayBytes -= 1L << shift;
                Counters.SmallRents++;
                Counters.RentedBytes += 1L << shift;
                if (CountOther())
                {
                    guard.AskForLook();
                }

                guard.HoldArrayAgain(offset);
            }
        }

        _owner.Exit(_ownerLeft);
        return guard;
    }

    /// <summary>Keeps the array of a guard whose rent has ended. Called by the owner.</summary>
    /// <returns>False when it does not: nothing was done.</returns>
    public bool TryReturnArray(LifetimeGuard guard)
    {
        int length = guard.Array!.Length;
        int shift = Shift(length);
        if (length != 1 << shift || shift > LargestShift || !_owner.TryEnter(_ownerLeft))
        {
            return false;
        }

        bool kept = false;
        ref int count = ref _arrayCounts[shift - SmallestShift];
        if (count < Depth(shift) && !guard.IsFinalizationPending)
        {
            _arrays[((shift - SmallestShift) * MostArrays) + count] = guard;
            count++;
            _arrayCount++;
            _arrayBytes += length;
            Counters.RentedBytes -= length;
            kept = true;
        }

        _owner.Exit(_ownerLeft);
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

    /// <summary>Takes a guard that keeps an array, the longest first. Called by others.</summary>
    public LifetimeGuard? TakeArray()
    {
        Halt();
        LifetimeGuard? guard = RemoveArray();
        if (guard is not null)
        {
            _arrayHistory.Forget(1);
        }

        GoOn();
        return guard;
    }

    /// <summary>How many blocks and arrays the policy gives back now, and whether the thread rented nothing and keeps nothing; ends the period. Called by others.</summary>
    public (int Blocks, int Arrays, bool IsUnused) EndPeriod(TrimPolicy policy)
    {
        Halt();
        long rents = Counters.Hits + Counters.SmallRents;
        bool isUnused = rents == _rentsBefore && _blockCount + _arrayCount == 0;
        _rentsBefore = rents;
        (int, int, bool) due = (policy.EndPeriod(ref _blockHistory, _blockCount), policy.EndPeriod(ref _arrayHistory, _arrayCount), isUnused);
        GoOn();
        return due;
    }

    /// <summary>Whether it keeps anything. Called by others.</summary>
    public bool HasAny()
    {
        Halt();
        bool any = _blockCount + _arrayCount != 0;
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
    protected override long CountIdleBytes() => ((long)_blockCount * _blockBytes) + _arrayBytes;

    private LifetimeGuard? RemoveBlock()
    {
        if (_blockCount == 0)
        {
            return null;
        }

        LifetimeGuard guard = _blocks[0]!;
        _blockCount--;
        _blocks.AsSpan(1, _blockCount).CopyTo(_blocks);
        _blocks[_blockCount] = null;
        return guard;
    }

    private LifetimeGuard? RemoveArray()
    {
        for (int i = _arrayCounts.Length - 1; i >= 0; i--)
        {
            int count = _arrayCounts[i];
            if (count == 0)
            {
                continue;
            }

            Span<LifetimeGuard?> arrays = _arrays.AsSpan(i * MostArrays, count);
            LifetimeGuard guard = arrays[0]!;
            arrays.Slice(1).CopyTo(arrays);
            arrays[count - 1] = null;
            _arrayCounts[i]--;
            _arrayCount--;
            _arrayBytes -= guard.Array!.Length;
            return guard;
        }

        return null;
    }

    private static int Depth(int shift) => Math.Max(1, Math.Min(MostArrays, MostArrayBytes >> shift));

    // The shortest array of a power of two that holds so many bytes.
    private static int Shift(int bytes) => bytes <= 1 << SmallestShift ? SmallestShift : Log2((uint)bytes - 1) + 1;

    private static int Log2(uint value)
    {
#if NET
        return System.Numerics.BitOperations.Log2(value);
#else
        int log = 0;
        while ((value >>= 1) != 0)
        {
            log++;
        }

        return log;
#endif
    }
}
