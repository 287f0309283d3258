using PixelPool;

namespace ThumbnailService.Endpoints;

/// <summary>Where the memory of the process is, in bytes.</summary>
/// <param name="Mode">Whose memory photos live in.</param>
/// <param name="AvailableBytes">What the process may use.</param>
/// <param name="ResidentBytes">What it uses.</param>
/// <param name="ManagedHeapBytes">The part of the garbage collector.</param>
/// <param name="ManagedHeapLimitBytes">What that part may become, at most; in a container three quarters of its memory, unless something else is set.</param>
/// <param name="Summary">The pool in one line.</param>
/// <param name="Pool">The pool in figures.</param>
/// <param name="Rented">What is rented, charged or reserved now, oldest first.</param>
internal sealed record MemoryReport(
    MemoryMode Mode,
    long? AvailableBytes,
    long ResidentBytes,
    long ManagedHeapBytes,
    long ManagedHeapLimitBytes,
    string Summary,
    PixelPoolStatistics Pool,
    IReadOnlyList<RentReport> Rented);
