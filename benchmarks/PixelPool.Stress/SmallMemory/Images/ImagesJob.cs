namespace PixelPool.Stress.SmallMemory.Images;

/// <summary>One contender, with a number of threads.</summary>
internal sealed record ImagesJob(string Contender, int Threads);
