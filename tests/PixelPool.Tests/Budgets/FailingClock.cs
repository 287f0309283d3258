namespace PixelPool.Tests.Budgets;

/// <summary>A clock that fails once.</summary>
/// <param name="time">Its time, and its timers: none runs by itself, and finds the clock failing.</param>
internal sealed class FailingClock(TimeProvider time) : TimeProvider
{
    private int _reads;

    public int Reads => Volatile.Read(ref _reads);

    /// <summary>How many readings go well before the one that fails.</summary>
    public int GoodReads { get; set; } = int.MaxValue;

    public override long TimestampFrequency => time.TimestampFrequency;

    public override long GetTimestamp() =>
        Interlocked.Increment(ref _reads) == (long)GoodReads + 1 ? throw new InvalidTimeZoneException() : time.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        time.CreateTimer(callback, state, dueTime, period);
}
