namespace PixelPool.Stress.Thumbnails;

/// <summary>One run of the sample.</summary>
/// <param name="Allocator">As the sample's command line calls it.</param>
/// <param name="Parallelism">Photos in work at the same time.</param>
/// <param name="Repetitions">How often it goes through the folder.</param>
internal sealed record ThumbnailJob(string? Photos, string Allocator, int Parallelism, int Repetitions);
