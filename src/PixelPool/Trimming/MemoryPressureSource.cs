using PixelPool.Trimming;

namespace PixelPool;

/// <summary>
/// Tells a pool how much memory there is and whether it is short. The default asks the system; an application that knows better derives its own.
/// </summary>
/// <remarks>
/// Implementations are thread-safe. They are called from timers and the finalizer thread, at most every few seconds and after collections of
/// generation 2: they must not block. An exception from <see cref="IsHigh"/> counts as "not high", one from <see cref="GetAvailableBytes"/>, after the
/// pool was created, as "unchanged".
/// </remarks>
public abstract class MemoryPressureSource
{
    /// <summary>
    /// What the system says. On Linux: the limits and the use of the process' control groups (versions 1 and 2, parents included), physical memory and a
    /// heap limit of the garbage collector. Short means that 90 % of a group or of the machine are in use, page cache that can be dropped not counted, or
    /// that tasks of the process' group lost a tenth of the last ten seconds waiting for memory (pressure stall information; those of parents and of
    /// the machine count when less than a quarter of the memory is left there). Elsewhere: what the collector saw at its last collection, against its
    /// own threshold. Files stay open, and asking whether memory is short allocates nothing on Linux.
    /// </summary>
    public static MemoryPressureSource System { get; } = SystemMemoryPressureSource.Create();

    /// <summary>Bytes of memory this process may use in all: the tightest limit that is known. 0 or less when nothing is known.</summary>
    public abstract long GetAvailableBytes();

    /// <summary>
    /// True when the process may use less than all of the machine's memory, because it runs in a container or somebody set a limit: who uses more is
    /// killed. False when nothing is known, and in sources that do not say.
    /// </summary>
    public virtual bool IsLimited => false;

    /// <summary>True while memory is so short that idle memory should be given back at once.</summary>
    public abstract bool IsHigh();
}
