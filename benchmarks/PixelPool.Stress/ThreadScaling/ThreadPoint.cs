namespace PixelPool.Stress.ThreadScaling;

/// <summary>What a number of threads reached together; latencies of a rent with its return in nanoseconds.</summary>
internal sealed record ThreadPoint(int Threads, double RentsPerSecond, double P50, double P99, double P999);
