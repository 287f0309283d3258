namespace PixelPool.Diagnostics.Sampling;

/// <summary>
/// Samples in the order of time, in memory of fixed size: when it is full, half of them go. Not thread-safe.
/// </summary>
internal sealed class SampleBuffer
{
    public const int Capacity = 2048;

    private const int GroupSize = 4;

    private readonly MemorySample[] _samples = new MemorySample[Capacity];

    public int Count { get; private set; }

    public bool IsFull => Count == Capacity;

    public void Add(in MemorySample sample) => _samples[Count++] = sample;

    public ReadOnlySpan<MemorySample> Samples => _samples.AsSpan(0, Count);

    /// <summary>
    /// Keeps two of each four samples: the one with the most resident memory, and of the others the one with the most rented. So the peaks of both stay,
    /// however often this is done.
    /// </summary>
    public void Halve()
    {
        int kept = 0;
        for (int start = 0; start < Capacity; start += GroupSize)
        {
            int resident = Highest(start, except: -1, static sample => sample.ResidentBytes);
            int rented = Highest(start, except: resident, static sample => sample.Pool.RentedBytes);

            // In the order of time, and never over a sample that is still to be read: both lie at or behind the place of the first.
            MemorySample later = _samples[Math.Max(resident, rented)];
            _samples[kept++] = _samples[Math.Min(resident, rented)];
            _samples[kept++] = later;
        }

        Count = kept;
    }

    private int Highest(int start, int except, Func<MemorySample, long> bytes)
    {
        int highest = -1;
        for (int i = start; i < start + GroupSize; i++)
        {
            if (i != except && (highest < 0 || bytes(_samples[i]) > bytes(_samples[highest])))
            {
                highest = i;
            }
        }

        return highest;
    }
}
