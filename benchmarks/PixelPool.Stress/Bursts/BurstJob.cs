namespace PixelPool.Stress.Bursts;

/// <summary>The plan, and the name of who goes through it.</summary>
internal sealed record BurstJob(string Contender, BurstPlan Plan);
