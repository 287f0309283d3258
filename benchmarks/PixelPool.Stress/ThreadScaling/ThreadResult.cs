namespace PixelPool.Stress.ThreadScaling;

/// <summary>How one contender did with one workload, one point for each number of threads.</summary>
internal sealed record ThreadResult(RentContender Contender, RentWorkload Workload, IReadOnlyList<ThreadPoint> Points);
