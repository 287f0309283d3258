using PixelPool.Budgets;
using PixelPool.Configuration;

namespace PixelPool;

// Options for a process whose memory is limited.
public sealed partial class PixelAllocatorOptions
{
    /// <summary>
    /// Options for a process that is killed when it uses too much memory, in a container or another limited control group. <see cref="MaxRentedBytes"/> and
    /// <see cref="MaxPooledBytes"/> leave room for the rest of the process.
    /// </summary>
    /// <returns>New options, to be changed further. Everything else has its default.</returns>
    /// <remarks>
    /// <para>
    /// A quarter of the memory that the process may use (<see cref="MemoryPressureSource.GetAvailableBytes"/> of <see cref="MemoryPressureSource.System"/>),
    /// but at least 160 MiB, stays free. Images get the rest, but at least a quarter:
    /// </para>
    /// <list type="table">
    /// <listheader><term>available</term><description>both limits</description></listheader>
    /// <item><term>256 MiB</term><description>96 MiB</description></item>
    /// <item><term>512 MiB</term><description>352 MiB</description></item>
    /// <item><term>1 GiB</term><description>768 MiB</description></item>
    /// <item><term>16 GiB</term><description>12 GiB</description></item>
    /// <item><term>unknown</term><description>352 MiB, as if 512 MiB were available</description></item>
    /// </list>
    /// <para>In a 32-bit process, at most 512 MiB count as available; elsewhere, at most 1 TiB.</para>
    /// <para>
    /// A .NET process that serves HTTP begins with 60 to 110 MiB; an application that keeps more than that beside its images (caches, request bodies, models)
    /// sets a smaller <see cref="MaxRentedBytes"/>. The limits are read when this method is called. If the container's limit changes later, the options do not.
    /// </para>
    /// <para>
    /// Values that the operator of the process set (<c>PIXELPOOL_MAX_RENTED_BYTES</c>, <c>PIXELPOOL_MAX_POOLED_BYTES</c>) are kept. The pool then holds as much
    /// as may be rented.
    /// </para>
    /// <para>
    /// Requests over the budget throw a <see cref="PixelBudgetExceededException"/>, unless they wait: with <c>RentAsync</c>, or with a
    /// <see cref="RentTimeout"/>.
    /// </para>
    /// </remarks>
    public static PixelAllocatorOptions ForContainer() => ForContainer(MemoryPressureSource.System);

    /// <summary>Options for a limited process, with another source of the available memory. It also becomes <see cref="MemoryPressure"/>.</summary>
    /// <param name="memoryPressure">Tells how much memory the process may use.</param>
    /// <returns>New options, to be changed further.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="memoryPressure"/> is null.</exception>
    public static PixelAllocatorOptions ForContainer(MemoryPressureSource memoryPressure)
    {
        Throw.IfNull(memoryPressure, nameof(memoryPressure));
        return ForContainer(memoryPressure, CurrentSettings);
    }

    internal static PixelAllocatorOptions ForContainer(MemoryPressureSource memoryPressure, ProcessSettings settings)
    {
        var options = new PixelAllocatorOptions(settings) { MemoryPressure = memoryPressure };
        options.MaxRentedBytes ??= ContainerBudget.Bytes(memoryPressure.GetAvailableBytes());
        options.MaxPooledBytes ??= options.MaxRentedBytes;
        return options;
    }
}
