using System.Runtime.CompilerServices;
using PixelPool.Native;
using PixelPool.Threading;

namespace PixelPool.Accounts;

/// <summary>
/// What one allocator, or one pool that is used alone, counted. Every tier writes here. Stripes are summed when somebody asks; only what happens rarely has a
/// counter for all threads.
/// </summary>
/// <param name="listener">Hears what happens.</param>
internal sealed class MemoryAccounts(IMemoryListener listener) : CacheLineApart
{
    private static readonly WeakSet<MemoryAccounts> s_all = new();
    private static int s_lastNumber;

    private readonly FairLock _change = new();

    // Those of processors, which everybody writes to; and those in which threads count for themselves, too. The second array changes only while nothing is paused.
    private AccountStripe[] _stripes = [];
    private AccountStripe[] _all = [];

    // The one through which threads pass on what is charged and rented by nobody. Null until the pool has opened the accounts.
    private AccountStripe? _passing;
    private readonly long[] _trimmedBytes = new long[(int)TrimReason.Disposal + 1];
    private long _leakedCount;
    private long _leakedBytes;
    private long _secondReturns;
    private long _externalBytes;
    private long _bytesBesideBlocks;

    // What was got and given back so far, and the most that was held. They change together, so that no reading shows what never was. Memory that is got is held before it is rented, and held
    // until it is rented no more: what is held and not rented is idle, wherever it is.
    private readonly UninterruptibleLock _holding = new();
    private long _allocatedBytes;
    private long _releasedBytes;
    private long _peakHeldBytes;
    private long _touchedBytes;
    private long _hugePageBytes;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>Hears what happens.</summary>
    public readonly IMemoryListener Listener = listener;

    /// <summary>Names the accounts, and so the allocator, in what native code is given.</summary>
    public int Number { get; } = Interlocked.Increment(ref s_lastNumber);

    /// <summary>Whether native code was given anything of them: then second releases are told to them.</summary>
    public bool HasIssued { get; set; }

    /// <summary>Whether stripes may keep credit.</summary>
    public readonly CreditRecall Recall = new();

    /// <summary>Rents, charges and reservations that were forgotten so far.</summary>
    public long LeakedCount => Volatile.Read(ref _leakedCount);

    /// <summary>Gives back what threads keep, with what is charged for it: a block; all small memory if there is none. Says whether there was any. Set once, by the depot.</summary>
    public Func<bool> PutBack = null!;

    /// <summary>Arrays, unpooled memory, and memory of others, in an allocator with a budget.</summary>
    public long BytesBesideBlocks => Volatile.Read(ref _bytesBesideBlocks);

    /// <summary>Those of all allocators and pools of the process that live.</summary>
    public static List<MemoryAccounts> ListAll() => s_all.ToList();

    /// <summary>All allocators of the process look at their next rents: what is told of them may have changed.</summary>
    public static void SampleNextRentsOfAll()
    {
        foreach (MemoryAccounts accounts in ListAll())
        {
            accounts.SampleNextRents();
        }
    }

    /// <summary>From now on these are the stripes. Called once, by the pool that owns them.</summary>
    /// <param name="stripes">Those of processors.</param>
    /// <param name="passing">The one through which what is charged and rented by nobody passes from one thread to another.</param>
    public void Open(AccountStripe[] stripes, AccountStripe passing)
    {
        _stripes = stripes;
        _passing = passing;
        SetCaches([]);
        s_all.Add(this);
    }

    /// <summary>From now on these are the stripes of threads. One at a time calls this.</summary>
    /// <param name="caches">As many as before, or more. One that comes in the place of another counts on from what that counted: nothing is counted there any more, and it keeps nothing.</param>
    public void SetCaches(AccountStripe[] caches)
    {
        using (_change.Hold())
        {
            Volatile.Write(ref _all, [.. _stripes, _passing!, .. caches]);
        }
    }

    /// <summary>Every stripe looks at its next rent, and asks then how many it leaves out.</summary>
    public void SampleNextRents()
    {
        foreach (AccountStripe stripe in Volatile.Read(ref _all))
        {
            stripe.SampleNextRent();
        }
    }

    /// <summary>Counts what happened, in the stripe of the current processor.</summary>
    public void Count(in StripeCounters change) => _stripes[StripeIndex.Current & (_stripes.Length - 1)].Count(change);

    /// <summary>Counts a rent, charge or reservation that was forgotten.</summary>
    public void CountLeak(long bytes)
    {
        Interlocked.Increment(ref _leakedCount);
        Interlocked.Add(ref _leakedBytes, bytes);
    }

    /// <summary>Something was returned a second time: nothing was done, but it is counted and told.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void TellSecondReturn()
    {
        Interlocked.Increment(ref _secondReturns);
        Listener.OnSecondReturn();
    }

    /// <summary>Counts memory that others hold.</summary>
    /// <param name="bytes">Bytes more than before; negative when it is less.</param>
    /// <exception cref="InvalidMemoryOperationException">It is more than can be counted. They are counted all the same: the caller takes them back.</exception>
    public void CountExternal(long bytes)
    {
        if (Interlocked.Add(ref _externalBytes, bytes) < 0 && bytes > 0)
        {
            Throw.InvalidMemoryOperation($"{ByteSize.Format(bytes)} more of external memory would be more than 2⁶³ bytes together.");
        }
    }

    /// <summary>Counts what is held beside blocks.</summary>
    /// <param name="bytes">Bytes more than before; negative when it is less.</param>
    public void CountBesideBlocks(long bytes) => Interlocked.Add(ref _bytesBesideBlocks, bytes);

    /// <summary>Idle memory went back to the system, if it is any: that is counted, and told.</summary>
    public void OnTrimmed(long bytes, TrimReason reason)
    {
        if (bytes != 0)
        {
            Interlocked.Add(ref _trimmedBytes[(int)reason], bytes);
            Listener.OnTrimmed(bytes, reason);
        }
    }

    /// <summary>Counts the pages of memory that was fresh from the system and comes back for the first time.</summary>
    public void CountPages(BlockSource source, nint address, long bytes)
    {
        if (source.TryCountPages(address, bytes, out long resident, out long huge))
        {
            Interlocked.Add(ref _touchedBytes, resident);
            Interlocked.Add(ref _hugePageBytes, huge);
        }
    }

    /// <summary>Memory was got, and nobody rents it yet.</summary>
    public void Hold(long bytes)
    {
        using (_holding.Hold())
        {
            _allocatedBytes += bytes;
            _peakHeldBytes = Math.Max(_peakHeldBytes, _allocatedBytes - _releasedBytes);
        }
    }

    /// <summary>The same, of memory of the system: that is told, to the collector, too. Whoever releases it takes it from the <see cref="CollectorPressure"/> again.</summary>
    public void OnAllocated(long bytes)
    {
        Hold(bytes);
        CollectorPressure.Add(bytes);
        Listener.OnAllocated(bytes);
    }

    /// <summary>Memory that nobody rents any more was given back.</summary>
    public void LetGo(long bytes)
    {
        using (_holding.Hold())
        {
            _releasedBytes += bytes;
        }
    }

    /// <summary>Takes the credit of all stripes. Those of threads have none, and are stopped all the same: during a recall a return before this has been kept now, and one after it sees the recall, and is not.</summary>
    /// <returns>Bytes; the caller releases them.</returns>
    public long TakeCredit()
    {
        UninterruptibleLock.Holder paused = Pause();
        long credit = 0;
        foreach (AccountStripe stripe in _stripes)
        {
            credit += stripe.TakeCredit();
        }

        Resume(paused);
        return credit;
    }

    /// <summary>Reads a charge without the part of it that nobody rents. To be called while nobody takes anything of that from where it is kept.</summary>
    /// <remarks>
    /// Where there is no such part, nobody is stopped to find that out: two looks that see nothing of it, and the same number of uses, say that there was nothing in between. What came and went meanwhile was used.
    /// Meanwhile nothing is passed on, which is no use. Otherwise all of it is read at one moment: bytes that were charged after they were read, and came back to be kept before that was, would be missing.
    /// </remarks>
    /// <param name="charge">The word of a budget.</param>
    public long ReadCharge(ref long charge)
    {
        _passing?.Pause();
        bool isRented = SeesNoChargedIdle(out long uses);
        long read = Volatile.Read(ref charge);
        isRented = isRented && SeesNoChargedIdle(out long usesThen) && usesThen == uses;
        _passing?.Resume();
        if (!isRented)
        {
            UninterruptibleLock.Holder paused = Pause();
            read = Volatile.Read(ref charge);
            foreach (AccountStripe stripe in _all)
            {
                read -= stripe.ChargedIdleBytes;
            }

            Resume(paused);
        }

        return read;
    }

    /// <summary>What is held and was done so far: exact while no other thread rents, returns or trims, close to it otherwise.</summary>
    public PixelPoolStatistics GetStatistics()
    {
        // All stripes at one moment: a rent is counted in one stripe and its return in another, so stripes that are read one after the other add up to what never
        // was: less than nothing, or more than the budget. They stand still for some ten nanoseconds each.
        StripeCounters sums = default;
        UninterruptibleLock.Holder paused = Pause();
        foreach (AccountStripe stripe in _all)
        {
            stripe.ReadInto(ref sums);
        }

        PixelPoolStatistics held;
        using (_holding.Hold())
        {
            held = new PixelPoolStatistics { AllocatedBytes = _allocatedBytes, ReleasedBytes = _releasedBytes, PeakHeldBytes = _peakHeldBytes };
        }

        Resume(paused);
        return held with
        {
            RentedBytes = sums.RentedBytes,
            IdleBytes = held.AllocatedBytes - held.ReleasedBytes - sums.RentedBytes,
            Hits = sums.Hits,
            Misses = sums.Misses,
            AssembledRents = sums.Assembled,
            SmallRents = sums.SmallRents,
            UnpooledRents = sums.UnpooledRents,
            TouchedBytes = Volatile.Read(ref _touchedBytes),
            HugePageBytes = Volatile.Read(ref _hugePageBytes),
            LeakedCount = LeakedCount,
            LeakedBytes = Volatile.Read(ref _leakedBytes),
            SecondReturns = Volatile.Read(ref _secondReturns),
            ExternalBytes = Volatile.Read(ref _externalBytes),
            TrimmedByTimerBytes = Trimmed(TrimReason.Timer),
            TrimmedByGen2Bytes = Trimmed(TrimReason.Gen2),
            TrimmedByPressureBytes = Trimmed(TrimReason.Pressure),
            TrimmedByRequestBytes = Trimmed(TrimReason.Request),
            TrimmedByOutOfMemoryBytes = Trimmed(TrimReason.OutOfMemory),
            TrimmedByBudgetBytes = Trimmed(TrimReason.Budget),
        };
    }

    // Stops every rent and return, for some ten nanoseconds a stripe: until Resume, which gets what is returned.
    private UninterruptibleLock.Holder Pause()
    {
        UninterruptibleLock.Holder paused = _change.Hold();
        bool needsBarrier = false;
        foreach (AccountStripe stripe in _all)
        {
            needsBarrier |= stripe.BeginPause();
        }

        if (needsBarrier)
        {
            ProcessBarrier.Issue();
        }

        // Those of threads, which take longer, before those that everybody uses.
        for (int i = _all.Length - 1; i >= 0; i--)
        {
            _all[i].AwaitPause();
        }

        return paused;
    }

    private void Resume(UninterruptibleLock.Holder paused)
    {
        foreach (AccountStripe stripe in _all)
        {
            stripe.Resume();
        }

        paused.Dispose();
    }

    private bool SeesNoChargedIdle(out long uses)
    {
        uses = 0;
        long bytes = 0;
        foreach (AccountStripe stripe in Volatile.Read(ref _all))
        {
            bytes |= stripe.ChargedIdleBytes;
            uses += stripe.ChargedIdleUses;
        }

        return bytes == 0;
    }

    private long Trimmed(TrimReason reason) => Volatile.Read(ref _trimmedBytes[(int)reason]);
}
