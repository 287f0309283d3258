using PixelPool.Lifetime;

namespace PixelPool.Diagnostics;

/// <summary>What a rent, a view or a pin remembers of its beginning.</summary>
/// <param name="stack">Where it was made; null when there was no memory to record it.</param>
/// <param name="time">When, by the clock of the pool; null when that failed.</param>
/// <param name="epoch">How many leak trackers had been started before.</param>
internal sealed class RecordedTrace(RentStack? stack, TimeSpan? time, int epoch) : RentTrace
{
    public RentStack? Stack { get; } = stack;

    public TimeSpan? Time { get; } = time;

    public int Epoch { get; } = epoch;
}
