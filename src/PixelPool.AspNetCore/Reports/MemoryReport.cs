namespace PixelPool.AspNetCore.Reports;

/// <summary>All that the page shows and the JSON says.</summary>
/// <param name="Time">When it was made.</param>
/// <param name="ResidentBytes">Physical memory of the process.</param>
/// <param name="AvailableBytes">What the process may use: the limit of its container, or the memory of the machine. Null where that is not known.</param>
/// <param name="Allocators">The allocators of the application.</param>
internal sealed record MemoryReport(DateTimeOffset Time, long ResidentBytes, long? AvailableBytes, IReadOnlyList<AllocatorReport> Allocators);
