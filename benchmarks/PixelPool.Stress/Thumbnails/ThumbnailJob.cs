using Imaging.Memory;

namespace PixelPool.Stress.Thumbnails;

/// <summary>One run through the photos.</summary>
/// <param name="Photos">A folder; null for the test photos.</param>
/// <param name="Allocator">Whose memory the images live in.</param>
/// <param name="Parallelism">Photos in work at the same time.</param>
/// <param name="Repetitions">How often it goes through the folder.</param>
internal sealed record ThumbnailJob(string? Photos, AllocatorKind Allocator, int Parallelism, int Repetitions);
