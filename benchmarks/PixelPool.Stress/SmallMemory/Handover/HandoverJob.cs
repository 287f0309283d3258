namespace PixelPool.Stress.SmallMemory.Handover;

/// <summary>One contender and one size.</summary>
internal sealed record HandoverJob(string Contender, int Bytes);
