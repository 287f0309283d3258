namespace PixelPool.Stress.SmallMemory;

/// <summary>What is measured.</summary>
/// <param name="Parts">The parts, in any order.</param>
/// <param name="Steps">Rents and returns of <see cref="SmallPart.Swings"/>.</param>
/// <param name="Seed">Of everything random.</param>
internal sealed record SmallPlan(IReadOnlyList<SmallPart> Parts, long Steps, int Seed);
