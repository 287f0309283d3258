namespace PixelPool.Stress.SmallMemory.Mixed;

/// <summary>One contender, with a number of threads.</summary>
internal sealed record MixedJob(string Contender, int Threads, int Seed);
