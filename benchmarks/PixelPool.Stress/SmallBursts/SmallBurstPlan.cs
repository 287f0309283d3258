namespace PixelPool.Stress.SmallBursts;

/// <summary>How much small pieces hold together, and who takes them.</summary>
/// <param name="Bytes">Bytes that are held at the peak.</param>
/// <param name="Threads">Threads that take pieces, and as many that return half of them.</param>
/// <param name="Rounds">Bursts.</param>
/// <param name="Seed">Of the sizes.</param>
internal sealed record SmallBurstPlan(long Bytes, int Threads, int Rounds, int Seed);
