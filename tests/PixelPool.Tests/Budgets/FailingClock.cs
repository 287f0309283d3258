namespace PixelPool.Tests.Budgets;

/// <summary>A clock that fails once.</summary>
internal sealed class FailingClock : TimeProvider
{
    private int _reads;

    public int Reads => Volatile.Read(ref _reads);

    /// <summary>How many readings go well before the one that fails.</summary>
    public int GoodReads { get; set; } = int.MaxValue;

    public override long GetTimestamp() =>
        Interlocked.Increment(ref _reads) == (long)GoodReads + 1 ? throw new InvalidTimeZoneException() : base.GetTimestamp();
}
