using PixelPool.Budgets;
using PixelPool.Configuration;

namespace PixelPool;

/// <content>Options for a process whose memory is limited.</content>
public sealed partial class PixelAllocatorOptions
{
    /// <summary>
    /// Options for a process that is killed when it uses too much memory, in a container or another limited control group: what is rented at once
    /// (<see cref="MaxRentedBytes"/>) and what the pool holds (<see cref="MaxPooledBytes"/>) leaves room for the rest of the process.
    /// </summary>
    /// <returns>New options, to be changed further. Everything else has its default.</returns>
    /// <remarks>
    /// <para>
    /// Of the memory the process may use (<see cref="MemoryPressureSource.GetAvailableBytes"/> of <see cref="MemoryPressureSource.System"/>) a quarter, but
    /// at least 160 MiB, stays free; images get the rest, but at least a quarter:
    /// </para>
    /// <list type="table">
    /// <listheader><term>available</term><description>both limits</description></listheader>
    /// <item><term>256 MiB</term><description>96 MiB</description></item>
    /// <item><term>512 MiB</term><description>352 MiB</description></item>
    /// <item><term>1 GiB</term><description>768 MiB</description></item>
    /// <item><term>16 GiB</term><description>12 GiB</description></item>
    /// <item><term>unknown, or a 32-bit process</term><description>352 MiB, as if 512 MiB were available</description></item>
    /// </list>
    /// <para>
    /// A .NET process that serves HTTP begins with 60 to 110 MiB; an application that keeps more than that beside its images (caches, request bodies,
    /// models) sets a smaller <see cref="MaxRentedBytes"/>. The figures are read now: a limit of the container that changes later does not change them.
    /// </para>
    /// <para>
    /// What the operator of the process set (<c>PIXELPOOL_MAX_RENTED_BYTES</c>, <c>PIXELPOOL_MAX_POOLED_BYTES</c>) stays; the pool then holds as much as may be
    /// rented.
    /// </para>
    /// <para>
    /// Requests over the budget fail (<see cref="PixelBudgetExceededException"/>) unless they wait: <c>RentAsync</c>, or <see cref="RentTimeout"/>.
    /// </para>
    /// </remarks>
    public static PixelAllocatorOptions ForContainer() => ForContainer(MemoryPressureSource.System);

    /// <summary>The same with another source of the memory that is available, which also becomes <see cref="MemoryPressure"/>.</summary>
    /// <param name="memoryPressure">Says how much memory the process may use.</param>
    /// <returns>New options, to be changed further.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="memoryPressure"/> is null.</exception>
    public static PixelAllocatorOptions ForContainer(MemoryPressureSource memoryPressure)
    {
        Throw.IfNull(memoryPressure, nameof(memoryPressure));
        return ForContainer(memoryPressure, ProcessSettings.Current);
    }

    internal static PixelAllocatorOptions ForContainer(MemoryPressureSource memoryPressure, ProcessSettings settings)
    {
        var options = new PixelAllocatorOptions(settings) { MemoryPressure = memoryPressure };
        options.MaxRentedBytes ??= ContainerBudget.Bytes(memoryPressure.GetAvailableBytes());
        options.MaxPooledBytes ??= options.MaxRentedBytes;
        return options;
    }
}
