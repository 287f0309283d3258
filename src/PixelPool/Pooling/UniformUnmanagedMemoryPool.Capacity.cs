using PixelPool.Pooling;
using PixelPool.Trimming;

namespace PixelPool;

/// <content>How much the pool holds at most. What nobody configured follows the memory that is available: the limits of containers change.</content>
public sealed partial class UniformUnmanagedMemoryPool
{
    // Null when the capacity was configured, or can not change.
    private readonly MemoryPressureSource? _capacitySource;

    // Read without a lock, once per decision: it may be another one a moment later. Lowered, it takes nothing away from anybody who rents: what is rented
    // above it comes back first.
    private int _maxBlocks;

    /// <summary>
    /// The most bytes the pool holds now, rented and idle together: whole blocks. Without <see cref="PixelAllocatorOptions.MaxPooledBytes"/> it follows the
    /// memory available to the process: that is looked at after collections of generation 2, and every few seconds while something is idle, unless the
    /// policy is <see cref="TrimPolicy.None"/>. When it falls below what is held, idle blocks go back to the system, and requests that find too few of
    /// them get none.
    /// </summary>
    public long MaxPooledBytes => (long)_maxBlocks * BlockBytes;

    /// <summary>Looks at the available memory again, if the capacity depends on it, and gives back what is idle above the capacity. Never throws; no lock is held.</summary>
    internal void RefreshCapacity()
    {
        if (_capacitySource is null)
        {
            return;
        }

        // A source that does not know any more leaves everything as it is.
        long available = 0;
        try
        {
            available = _capacitySource.GetAvailableBytes();
        }
#pragma warning disable CA1031 // An application's source must not end the process from a timer or the finalizer thread.
        catch (Exception)
        {
        }
#pragma warning restore CA1031

        if (available > 0)
        {
            _maxBlocks = PoolCapacity.DefaultInBlocks(available, BlockBytes);
        }

        long excess = Volatile.Read(ref _allocatedBlocks) - _maxBlocks;
        if (excess > 0)
        {
            ReportTrimmed(CountTrimmed(ReleaseIdle(excess), TrimReason.Pressure), TrimReason.Pressure);
        }
    }
}
