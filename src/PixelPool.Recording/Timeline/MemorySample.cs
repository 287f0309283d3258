namespace PixelPool.Diagnostics;

/// <summary>Memory at one moment of a <see cref="MemoryRecording"/>.</summary>
/// <param name="Elapsed">Time since the recording started.</param>
/// <param name="ResidentBytes">
/// Bytes of physical memory that the process had then: Linux counts them in <c>/proc/self/statm</c>, others call it the working set.
/// </param>
/// <param name="Pool">What <see cref="PixelAllocator.GetStatistics"/> said. All zero when no allocator was recorded.</param>
public readonly record struct MemorySample(TimeSpan Elapsed, long ResidentBytes, PixelPoolStatistics Pool)
{
    /// <summary>Requests that had to wait for budget so far, those that wait now included.</summary>
    internal long BegunWaits => Pool.Waits + Pool.WaitingRents;

    /// <summary>Bytes that the allocator holds, used or not.</summary>
    internal long HeldBytes => Pool.RentedBytes + Pool.IdleBytes;
}
