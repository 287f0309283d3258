namespace PixelPool.Stress.SlabBursts;

/// <summary>How much small images hold together, and who rents them.</summary>
/// <param name="Bytes">Bytes of pixels that are held at the peak.</param>
/// <param name="Threads">Threads that rent, and as many that return.</param>
/// <param name="Rounds">Bursts.</param>
/// <param name="Seed">Of the sizes.</param>
internal sealed record SlabBurstPlan(long Bytes, int Threads, int Rounds, int Seed);
