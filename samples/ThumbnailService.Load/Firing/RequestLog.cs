namespace ThumbnailService.Load.Firing;

/// <summary>What became of the requests; for all workers.</summary>
internal sealed class RequestLog
{
    private readonly Lock _lock = new();
    private readonly List<double> _servedSeconds = [];
    private readonly SortedDictionary<string, int> _failures = new(StringComparer.Ordinal);
    private long _servedPixels;

    public int Served
    {
        get
        {
            lock (_lock)
            {
                return _servedSeconds.Count;
            }
        }
    }

    /// <summary>How many failed, by the reason. This and the following are read when all workers have ended.</summary>
    public IReadOnlyDictionary<string, int> Failures => _failures;

    public double ServedMegapixels => _servedPixels / 1e6;

    /// <summary>Latencies of the served requests, the shortest first.</summary>
    public double[] SortedSeconds() => [.. _servedSeconds.Order()];

    public void AddServed(TimeSpan latency, long pixels)
    {
        lock (_lock)
        {
            _servedSeconds.Add(latency.TotalSeconds);
            _servedPixels += pixels;
        }
    }

    public void AddFailed(string reason)
    {
        lock (_lock)
        {
            _failures[reason] = _failures.GetValueOrDefault(reason) + 1;
        }
    }
}
