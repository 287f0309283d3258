using System.Diagnostics;
using System.Numerics;

namespace PixelPool.Measuring;

/// <summary>
/// Counts durations in buckets that get wider with the duration: 32 for every doubling, so that a percentile is at most 1/32 off. One for each thread;
/// recording allocates nothing and shares nothing.
/// </summary>
public sealed class LatencyHistogram
{
    private const int BucketBits = 5;
    private const int BucketsPerDoubling = 1 << BucketBits;

    private readonly long[] _counts = new long[(64 - BucketBits) * BucketsPerDoubling];

    /// <summary>Durations recorded so far.</summary>
    public long Count { get; private set; }

    /// <param name="ticks">Of <see cref="Stopwatch.GetTimestamp"/>; 0 or more.</param>
    public void Record(long ticks)
    {
        _counts[BucketOf(ticks)]++;
        Count++;
    }

    /// <summary>Takes over what another thread recorded.</summary>
    public void Add(LatencyHistogram other)
    {
        for (int i = 0; i < _counts.Length; i++)
        {
            _counts[i] += other._counts[i];
        }

        Count += other.Count;
    }

    /// <summary>The duration that a share of all recorded ones does not exceed, in nanoseconds; 0 when nothing was recorded.</summary>
    public double Percentile(double share)
    {
        long wanted = (long)Math.Ceiling(share * Count);
        long seen = 0;
        for (int i = 0; i < _counts.Length; i++)
        {
            seen += _counts[i];
            if (_counts[i] > 0 && seen >= wanted)
            {
                return LongestIn(i) * 1e9 / Stopwatch.Frequency;
            }
        }

        return 0;
    }

    /// <summary>Below 32 ticks every number has its own bucket; above, the first bit chooses the doubling and the next five the bucket.</summary>
    private static int BucketOf(long ticks)
    {
        int doubling = Math.Max(BitOperations.Log2((ulong)ticks) - BucketBits, 0);
        return (doubling * BucketsPerDoubling) + (int)(ticks >> doubling);
    }

    private static long LongestIn(int bucket)
    {
        int doubling = Math.Max((bucket / BucketsPerDoubling) - 1, 0);
        long first = (long)(bucket - (doubling * BucketsPerDoubling)) << doubling;
        return first + (1L << doubling) - 1;
    }
}
