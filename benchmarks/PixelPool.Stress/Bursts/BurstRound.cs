namespace PixelPool.Stress.Bursts;

/// <summary>When a burst began, when its last image was returned, and when the pause after it ended: seconds since the start.</summary>
internal readonly record struct BurstRound(double Start, double Returned, double End);
