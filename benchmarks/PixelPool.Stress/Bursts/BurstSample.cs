namespace PixelPool.Stress.Bursts;

/// <summary>Memory at one moment, in bytes.</summary>
/// <param name="Seconds">Since the start of the first burst.</param>
/// <param name="Resident">Of the whole process, as the kernel counts it.</param>
/// <param name="Rented">In images; PixelPool tells whole blocks, for the others it is what was asked for.</param>
/// <param name="Idle">In the pool; 0 for those that do not tell.</param>
/// <param name="Managed">On the managed heap.</param>
internal readonly record struct BurstSample(double Seconds, long Resident, long Rented, long Idle, long Managed);
