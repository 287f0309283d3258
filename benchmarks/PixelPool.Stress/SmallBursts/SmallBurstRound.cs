namespace PixelPool.Stress.SmallBursts;

/// <summary>What one burst left.</summary>
/// <param name="PeakBytes">Resident memory while everything was held.</param>
/// <param name="ReturnedBytes">Resident memory more than at the start, when everything was returned.</param>
/// <param name="LeftBytes">Resident memory more than at the start, after the trim.</param>
/// <param name="IsAccounted">Whether the statistics say that nothing is rented or idle, and that everything that came from the system is back there.</param>
internal sealed record SmallBurstRound(long PeakBytes, long ReturnedBytes, long LeftBytes, bool IsAccounted);
