namespace PixelPool.Lifetime;

/// <summary>What a rent, a request that waits, a view or a pin remembers of its beginning.</summary>
/// <param name="Stack">Where it was made, for whoever reports it: only they know what that is. Null when there was no memory to record it.</param>
/// <param name="Time">When, by the clock of the pool; null when that failed.</param>
/// <param name="Epoch">How many leak trackers had been started before.</param>
internal sealed record RentTrace(object? Stack, TimeSpan? Time, int Epoch);
