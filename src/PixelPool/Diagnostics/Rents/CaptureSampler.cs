namespace PixelPool.Diagnostics;

/// <summary>
/// Bounds the time that is spent on recording rents to half a percent of one processor: after a capture that took a while, the next one may come 200 times
/// as long later, or a second: the first capture of an assembly loads its symbols. A capture that found a known place is followed by a longer rest, because the runtime makes some
/// kilobytes of garbage for each stack, known or not. The clock itself is read for every rent while rents are rare, and for one in many while most are refused. The first captures are free of this: what a program rents when it starts, or a trial that is over in a second, is recorded.
/// </summary>
internal sealed class CaptureSampler(TimeProvider time)
{
    /// <summary>However frequent rents are, one in so many asks.</summary>
    public const int MaxInterval = 256;

    /// <summary>So many captures are not followed by a rest.</summary>
    public const int FirstCaptures = 32;

    private const int RestFactor = 200;

    // While a capture is under way: the first one of an assembly takes longer than any rest, and threads must not do it beside each other.
    private const long Never = long.MaxValue;

    private readonly long _leastRest = ToTimestamps(time, milliseconds: 10);
    private readonly long _leastRestWhereKnown = ToTimestamps(time, milliseconds: 100);
    private readonly long _mostRest = ToTimestamps(time, milliseconds: 1000);
    private long _next = long.MinValue;
    private int _interval = 1;

    // Changed by the thread that captures only.
    private int _captures;

    /// <summary>N, where one rent in N should ask.</summary>
    public int Interval => Volatile.Read(ref _interval);

    /// <param name="now">The timestamp of the rent.</param>
    /// <returns>True for one thread at a time, which calls <see cref="End"/>.</returns>
    public bool TryBegin(long now)
    {
        long next = Volatile.Read(ref _next);

        // Nobody rests for longer, unless the clock went backwards.
        bool isTime = now >= next || (next != Never && next - now > _mostRest);
        bool allowed = isTime && Interlocked.CompareExchange(ref _next, Never, next) == next;
        int interval = Volatile.Read(ref _interval);
        int wanted = allowed ? Math.Max(1, interval / 2) : Math.Min(MaxInterval, interval * 2);
        if (wanted != interval)
        {
            // Threads that change it together lose a step: it is a pace, not an account.
            Volatile.Write(ref _interval, wanted);
        }

        return allowed;
    }

    /// <summary>The capture that began at this timestamp is done, or failed.</summary>
    /// <param name="began">The timestamp.</param>
    /// <param name="isNew">Whether it found a place that was not known.</param>
    public void End(long began, bool isNew)
    {
        // Whatever the application's clock throws: then somebody may capture again after the shortest rest.
        long next = began + _leastRest;
        try
        {
            long now = time.GetTimestamp();
            next = _captures < FirstCaptures ? now : now + Math.Max(isNew ? _leastRest : _leastRestWhereKnown, Math.Min(_mostRest, (now - began) * RestFactor));
            _captures = Math.Min(_captures + 1, FirstCaptures);
        }
        finally
        {
            Volatile.Write(ref _next, next);
        }
    }

    private static long ToTimestamps(TimeProvider time, int milliseconds) => Math.Max(1, (long)(time.TimestampFrequency * (milliseconds / 1000d)));
}
