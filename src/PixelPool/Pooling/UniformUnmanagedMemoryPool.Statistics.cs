using PixelPool.Pooling;
using PixelPool.Trimming;

namespace PixelPool;

/// <content>What the pool counted. Stripes are summed when somebody asks; only what happens rarely has a counter for all threads.</content>
public sealed partial class UniformUnmanagedMemoryPool
{
    private readonly long[] _trimmedBytes = new long[(int)TrimReason.Disposal + 1];
    private long _leakedCount;
    private long _leakedBytes;
    private long _peakRentedBytes;
    private long _touchedBytes;
    private long _hugePageBytes;

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

    /// <summary>Counts a rent of another tier, which takes no pooled blocks.</summary>
    internal void Count(in StripeCounters change) => CurrentStripe.Count(change);

    // Within a tier, more can be rented than ever before only after memory was got from somewhere, so that is when the peak is looked at. Hits beside
    // rents of another tier can reach a peak that is not seen before somebody asks.
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

    private long SumStripes(ref StripeCounters sums)
    {
        long idleBlocks = 0;
        foreach (DepotStripe stripe in _stripes)
        {
            idleBlocks += stripe.ReadInto(ref sums);
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
