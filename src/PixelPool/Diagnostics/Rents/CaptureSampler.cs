namespace PixelPool.Diagnostics;

/// <summary>
/// Bounds the time that is spent on recording rents to half a percent of one processor: after a capture that took a while, the next one may come 200 times
/// as long later, or a second: the first capture of an assembly loads its symbols. The least rest bounds the garbage, because the runtime makes some
/// kilobytes of it for each stack. The clock itself is read for every rent while rents are rare, and for one in many while most are refused. The first captures are free of this: what a program rents when it starts, or a trial that is over in a second, is recorded.
/// </summary>
internal sealed class CaptureSampler
{
    /// <summary>However frequent rents are, one in so many asks.</summary>
    public const int MaxInterval = 256;

    /// <summary>So many captures are not followed by a rest.</summary>
    public const int FirstCaptures = 32;

    private const int RestFactor = 200;
    private const long LeastRest = TimeSpan.TicksPerSecond / 10;
    private const long MostRest = TimeSpan.TicksPerSecond;

    // While a capture is under way: the first one of an assembly takes longer than any rest, and threads must not do it beside each other.
    private const long Never = long.MaxValue;

    private long _next = long.MinValue;
    private int _interval = 1;

    // Changed by the thread that captures only.
    private int _captures;

    /// <summary>N, where one rent in N should ask.</summary>
    public int Interval => Volatile.Read(ref _interval);

    /// <param name="now">The time of the rent.</param>
    /// <returns>True for one thread at a time, which calls <see cref="End"/>.</returns>
    public bool TryBegin(TimeSpan now)
    {
        long next = Volatile.Read(ref _next);

        // Nobody rests for longer, unless the clock went backwards.
        bool isTime = now.Ticks >= next || (next != Never && next - now.Ticks > MostRest);
        bool allowed = isTime && Interlocked.CompareExchange(ref _next, Never, next) == next;
        int interval = Volatile.Read(ref _interval);

        // Threads that change it together lose a step: it is a pace, not an account.
        Volatile.Write(ref _interval, allowed ? Math.Max(1, interval / 2) : Math.Min(MaxInterval, interval * 2));
        return allowed;
    }

    /// <summary>A capture is done, or failed.</summary>
    /// <param name="began">When it began.</param>
    /// <param name="now">When it ended.</param>
    public void End(TimeSpan began, TimeSpan now)
    {
        long rest = _captures < FirstCaptures ? 0 : Math.Max(LeastRest, Math.Min(MostRest, (now - began).Ticks * RestFactor));
        _captures = Math.Min(_captures + 1, FirstCaptures);
        Volatile.Write(ref _next, now.Ticks + rest);
    }
}
