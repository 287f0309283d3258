namespace PixelPool.AspNetCore.History;

/// <summary>The last samples of one allocator, as many as the page shows. Not thread-safe.</summary>
internal sealed class SampleRing
{
    public const int Capacity = 600;

    private readonly HistorySample[] _samples = new HistorySample[Capacity];
    private int _next;
    private int _count;

    public void Add(in HistorySample sample)
    {
        _samples[_next] = sample;
        _next = (_next + 1) % Capacity;
        _count = Math.Min(_count + 1, Capacity);
    }

    /// <summary>A copy of the samples from a moment on, the oldest first.</summary>
    public HistorySample[] Since(long timestamp)
    {
        var samples = new List<HistorySample>(_count);
        for (int i = 0; i < _count; i++)
        {
            HistorySample sample = _samples[(_next - _count + i + Capacity) % Capacity];
            if (sample.Timestamp >= timestamp)
            {
                samples.Add(sample);
            }
        }

        return [.. samples];
    }
}
