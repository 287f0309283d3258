using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Trimming;

namespace PixelPool;

/// <content>
/// What the event source hears of the pool: where memory comes from the system or goes back, never of a hit, and never under a lock. Not inlined: the
/// methods that call these are mostly about what is not reported.
/// </content>
public sealed partial class UniformUnmanagedMemoryPool
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void ReportAllocated(long bytes)
    {
        if (IsMemoryReported)
        {
            PixelPoolEventSource.Log.Allocated(Name, bytes);
        }
    }

    /// <summary>One event for each trim that gave something back.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void ReportTrimmed(long bytes, TrimReason reason)
    {
        if (bytes != 0 && IsMemoryReported)
        {
            PixelPoolEventSource.Log.Trimmed(Name, bytes, reason.ToString());
        }
    }

    /// <param name="bytes">Bytes that went back to the system otherwise than by a trim.</param>
    /// <param name="reason">Null: the pool was disposed, or could not keep them.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void ReportDropped(long bytes, string? reason = null)
    {
        if (bytes != 0 && IsMemoryReported)
        {
            PixelPoolEventSource.Log.Dropped(Name, bytes, reason ?? (IsDisposed ? "Disposed" : "Unwieldy"));
        }
    }

    private static bool IsMemoryReported =>
        PixelPoolEventSource.Log.IsEnabled(EventLevel.Informational, PixelPoolEventSource.Keywords.Memory);
}
