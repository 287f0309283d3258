namespace LoadResizeSave.Reporting;

/// <summary>Memory from the first photo until it had come back.</summary>
/// <param name="HasPool">Whether rented, idle and trimmed mean anything: other allocators do not tell.</param>
internal sealed record MemoryHistory(IReadOnlyList<MemorySample> Samples, IReadOnlyList<Moment> Moments, bool HasPool);
