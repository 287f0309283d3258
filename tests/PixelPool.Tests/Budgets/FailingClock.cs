namespace PixelPool.Tests.Budgets;

/// <summary>A clock that fails for a while.</summary>
/// <param name="time">Its time, and its timers: none runs by itself, and finds the clock failing.</param>
internal sealed class FailingClock(TimeProvider time) : TimeProvider
{
    private int _reads;

    public int Reads => Volatile.Read(ref _reads);

    /// <summary>How many readings go well before the first that fails.</summary>
    public int GoodReads { get; set; } = int.MaxValue;

    /// <summary>How many fail then.</summary>
    public int BadReads { get; set; } = 1;

    public override long TimestampFrequency => time.TimestampFrequency;

    public override long GetTimestamp() =>
        Interlocked.Increment(ref _reads) - (long)GoodReads is var after && after > 0 && after <= BadReads ? throw new InvalidTimeZoneException() : time.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        time.CreateTimer(callback, state, dueTime, period);
}
