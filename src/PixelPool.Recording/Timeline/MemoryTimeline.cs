namespace PixelPool.Diagnostics;

/// <summary>What was seen: all that is known of a <see cref="MemoryRecording"/>.</summary>
/// <param name="AllocatorName">Null when no allocator was recorded.</param>
/// <param name="Samples">In the order of time.</param>
/// <param name="Moments">In the order of time; the sample of each is among the samples.</param>
internal sealed record MemoryTimeline(string? AllocatorName, IReadOnlyList<MemorySample> Samples, IReadOnlyList<MemoryMoment> Moments)
{
    public bool HasPool => AllocatorName is not null;

    public TimeSpan Duration => Samples.Count == 0 ? TimeSpan.Zero : Samples[Samples.Count - 1].Elapsed;
}
