namespace PixelPool.Diagnostics;

/// <summary>What a rent remembers of its beginning.</summary>
/// <param name="stack">Where it was made; null when there was no memory to record it.</param>
/// <param name="timestamp">When, by the clock of the pool.</param>
/// <param name="epoch">How many leak trackers had been started before.</param>
internal sealed class RentTrace(RentStack? stack, long timestamp, int epoch)
{
    public RentStack? Stack { get; } = stack;

    public long Timestamp { get; } = timestamp;

    public int Epoch { get; } = epoch;
}
