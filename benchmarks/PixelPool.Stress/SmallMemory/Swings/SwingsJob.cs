namespace PixelPool.Stress.SmallMemory.Swings;

/// <summary>One contender.</summary>
/// <param name="Steps">Rents and returns, at least; it ends at a low point.</param>
internal sealed record SwingsJob(string Contender, long Steps, int Seed);
