using System.Runtime.InteropServices;
using PixelPool.Threading;
using PixelPool.Trimming;

namespace PixelPool;

/// <summary>
/// Tells a pool how much memory there is and whether it is short. The default asks the system. An application that knows better can derive its own.
/// </summary>
/// <remarks>
/// Implementations must be thread-safe and must not block. They are called from timers and the finalizer thread, every few seconds at most, and after
/// collections of generation 2. <see cref="PixelAllocator.Create"/>, <see cref="PixelAllocatorOptions.ForContainer()"/>, and rents that the system refused call
/// <see cref="GetAvailableBytes"/> on the caller's thread. An exception from <see cref="IsHigh"/> counts as false. An exception from
/// <see cref="GetAvailableBytes"/>, after the pool was created, counts as no change.
/// </remarks>
public abstract class MemoryPressureSource
{
    /// <summary>
    /// Asks the system. On Linux it reads the limits and the use of the process' control groups (versions 1 and 2, parents included), the physical memory, and
    /// a heap limit of the garbage collector. Memory is short there when 90 % of a group or of the machine are in use, without page cache that can be dropped.
    /// It is also short when tasks of the process' group spent a tenth of the last ten seconds waiting for memory (pressure stall information). The stalls of
    /// parents and of the machine count when less than a quarter of their memory is left. On other systems it compares what the garbage collector saw at its
    /// last collection with the collector's own threshold. On Linux files are read each time. One that cannot be read, because the process has no file descriptor left, says nothing that time.
    /// </summary>
    public static MemoryPressureSource System { get; } =
        RuntimeInformation.IsOSPlatform(OSPlatform.Linux) ? new LinuxMemoryPressureSource(string.Empty, new RuntimeMemoryPressureSource().GetAvailableBytes) : new RuntimeMemoryPressureSource();

    /// <summary>Returns the bytes of memory that this process may use in all: the lowest limit that is known. 0 or less when none is known.</summary>
    public abstract long GetAvailableBytes();

    /// <summary>The same, for those who must not fail with an application's source: one that throws does not know.</summary>
    internal long? TryGetAvailableBytes()
    {
        try
        {
            return GetAvailableBytes();
        }
#pragma warning disable CA1031 // It must not end the process from a timer or the finalizer thread.
        catch (Exception e)
        {
            Uninterrupted.Keep(e);
            return null;
        }
#pragma warning restore CA1031
    }

    /// <summary>
    /// True when the process may use less than all of the machine's memory, because it runs in a container or a limit is set. A process that uses more than the
    /// limit of its container is killed; a limit of the collector throws <see cref="OutOfMemoryException"/>. Default: false, nothing is known.
    /// </summary>
    public virtual bool IsLimited => false;

    /// <summary>True while memory is so short that idle memory should be given back at once.</summary>
    public abstract bool IsHigh();
}
