namespace PixelPool.Stress.SmallBursts;

/// <summary>The plan, and the name of who goes through it.</summary>
internal sealed record SmallBurstJob(string Contender, SmallBurstPlan Plan);
