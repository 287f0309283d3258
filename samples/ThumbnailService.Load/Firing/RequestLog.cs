namespace ThumbnailService.Load.Firing;

/// <summary>What became of the requests; for all workers. It begins when the run does.</summary>
internal sealed class RequestLog(TimeProvider time)
{
    private readonly Lock _lock = new();
    private readonly long _start = time.GetTimestamp();
    private readonly List<RequestEnd> _ends = [];
    private int _served;
    private long _servedPixels;

    public int Served
    {
        get
        {
            lock (_lock)
            {
                return _served;
            }
        }
    }

    /// <summary>In the order of time. This and the following are read when all workers have ended.</summary>
    public IReadOnlyList<RequestEnd> Ends => _ends;

    public double ServedMegapixels => _servedPixels / 1e6;

    public void AddServed(long sent, long pixels)
    {
        lock (_lock)
        {
            _served++;
            _servedPixels += pixels;
            Add(sent, failure: null);
        }
    }

    public void AddFailed(long sent, string reason)
    {
        lock (_lock)
        {
            Add(sent, reason);
        }
    }

    private void Add(long sent, string? failure)
    {
        long now = time.GetTimestamp();
        _ends.Add(new RequestEnd(time.GetElapsedTime(_start, now).TotalSeconds, time.GetElapsedTime(sent, now).TotalSeconds, failure));
    }
}
