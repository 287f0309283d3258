namespace PixelPool.Lifetime;

/// <summary>What a rent, a request that waits, a view or a pin remembers of its beginning.</summary>
/// <param name="stack">Where it was made, for whoever reports it: only they know what that is. Null when there was no memory to record it.</param>
/// <param name="time">When, by the clock of the pool; null when that failed.</param>
/// <param name="epoch">How many leak trackers had been started before.</param>
internal sealed class RentTrace(object? stack, TimeSpan? time, int epoch)
{
    public object? Stack { get; } = stack;

    public TimeSpan? Time { get; } = time;

    public int Epoch { get; } = epoch;
}
