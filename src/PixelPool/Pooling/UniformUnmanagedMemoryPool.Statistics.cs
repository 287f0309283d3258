using PixelPool.Pooling;
using PixelPool.Trimming;

namespace PixelPool;

/// <content>What the pool counted. Stripes are summed when somebody asks; only what happens rarely has a counter for all threads.</content>
public sealed partial class UniformUnmanagedMemoryPool
{
    private readonly long[] _trimmedBytes = new long[(int)TrimReason.Disposal + 1];
    // Up to here every guard that is made has the peak looked at, beyond every one that makes them more by a 64th.
    private const int GuardsLookedAt = 1024;
    private const int GuardGrowthShift = 6;

    private long _leakedCount;
    private long _leakedBytes;
    private long _secondReturns;
    private long _peakRentedBytes;
    private long _touchedBytes;
    private long _hugePageBytes;
    private int _guardPeak;

    /// <summary>What the pool holds and what it did so far: exact while no other thread rents, returns or trims, close to it otherwise.</summary>
    public PixelPoolStatistics GetStatistics()
    {
        StripeCounters sums = default;
        long idleBlocks = SumStripes(ref sums);
        RaisePeak(sums.RentedBytes);
        return new PixelPoolStatistics
        {
            RentedBytes = sums.RentedBytes,
            IdleBytes = idleBlocks * BlockBytes,
            AllocatedBytes = sums.AllocatedBytes,
            ReleasedBytes = sums.ReleasedBytes,
            PeakRentedBytes = Volatile.Read(ref _peakRentedBytes),
            Hits = sums.Hits,
            Misses = sums.Misses,
            AssembledRents = sums.Assembled,
            SmallRents = sums.SmallRents,
            UnpooledRents = sums.UnpooledRents,
            TouchedBytes = Volatile.Read(ref _touchedBytes),
            HugePageBytes = Volatile.Read(ref _hugePageBytes),
            LeakedCount = Volatile.Read(ref _leakedCount),
            LeakedBytes = Volatile.Read(ref _leakedBytes),
            SecondReturns = Volatile.Read(ref _secondReturns),
            TrimmedByTimerBytes = Trimmed(TrimReason.Timer),
            TrimmedByGen2Bytes = Trimmed(TrimReason.Gen2),
            TrimmedByPressureBytes = Trimmed(TrimReason.Pressure),
            TrimmedByRequestBytes = Trimmed(TrimReason.Request),
            TrimmedByOutOfMemoryBytes = Trimmed(TrimReason.OutOfMemory),
            TrimmedByBudgetBytes = Trimmed(TrimReason.Budget),
        };
    }

    /// <summary>Name, blocks, statistics and state, for debuggers.</summary>
    public override string ToString() =>
        $"{Name}, blocks of {ByteSize.Format(BlockBytes)}: {GetStatistics()}{(IsDisposed ? ", disposed" : string.Empty)}";

    internal long LeakedCount => Volatile.Read(ref _leakedCount);

    internal void CountLeak(long bytes)
    {
        Interlocked.Increment(ref _leakedCount);
        Interlocked.Add(ref _leakedBytes, bytes);
    }

    internal void CountSecondReturn() => Interlocked.Increment(ref _secondReturns);

    /// <summary>Counts a rent of another tier, which takes no pooled blocks.</summary>
    internal void Count(in StripeCounters change) => CurrentStripe.Count(change);

    // More can be rented than ever before mostly after memory was got from somewhere, or when more buffers are held than there were guards: so that is when the
    // peak is looked at. Buffers and blocks that were there already can reach a peak together that is not seen before somebody asks.
    internal void ObservePeak()
    {
        StripeCounters sums = default;
        SumStripes(ref sums);
        RaisePeak(sums.RentedBytes);
    }

    /// <summary>Counts the pages of memory that was fresh from the system and comes back for the first time.</summary>
    internal void ObservePages(nint address, long bytes)
    {
        if (bytes != 0 && _source.TryCountPages(address, bytes, out long resident, out long huge))
        {
            Interlocked.Add(ref _touchedBytes, resident);
            Interlocked.Add(ref _hugePageBytes, huge);
        }
    }

    // A guard was made: more are rented at once than ever before, or since some were let go.
    private void ObserveGuardPeak()
    {
        int guards = Guards.Count;
        int seen = Volatile.Read(ref _guardPeak);
        if (guards > (seen < GuardsLookedAt ? seen : seen + (seen >> GuardGrowthShift)))
        {
            Volatile.Write(ref _guardPeak, guards);
            ObservePeak();
        }
    }

    private void ForgetGuardPeak() => Volatile.Write(ref _guardPeak, Guards.Count);

    // All stripes at one moment: a rent is counted in one stripe and its return in another, so stripes that are read one after the other add up to what never
    // was: less than nothing, or more than the budget. They stand still for some ten nanoseconds each.
    private long SumStripes(ref StripeCounters sums)
    {
        foreach (DepotStripe stripe in _stripes)
        {
            stripe.Halt();
        }

        long idleBlocks = 0;
        foreach (DepotStripe stripe in _stripes)
        {
            idleBlocks += stripe.ReadInto(ref sums);
        }

        foreach (DepotStripe stripe in _stripes)
        {
            stripe.GoOn();
        }

        return idleBlocks;
    }

    private void RaisePeak(long rentedBytes)
    {
        long peak = Volatile.Read(ref _peakRentedBytes);
        while (rentedBytes > peak)
        {
            long seen = Interlocked.CompareExchange(ref _peakRentedBytes, rentedBytes, peak);
            if (seen == peak)
            {
                return;
            }

            peak = seen;
        }
    }

    private long Trimmed(TrimReason reason) => Volatile.Read(ref _trimmedBytes[(int)reason]);

    private long CountTrimmed(long blocks, TrimReason reason)
    {
        long bytes = blocks * BlockBytes;
        if (bytes != 0)
        {
            Interlocked.Add(ref _trimmedBytes[(int)reason], bytes);
        }

        return bytes;
    }
}
