using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>What options of a container begin with.</summary>
internal sealed class ServiceDefaults(AllocatorNames names, IServiceProvider provider) : IConfigureNamedOptions<PixelAllocatorOptions>
{
    public void Configure(PixelAllocatorOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, PixelAllocatorOptions options)
    {
        options.Name = string.IsNullOrEmpty(name) ? options.Name : name;
        options.MeterFactory = provider.GetService<IMeterFactory>();
        options.MemoryPressure = provider.GetService<MemoryPressureSource>() ?? options.MemoryPressure;
        if (!options.MemoryPressure.IsLimited)
        {
            return;
        }

        // What the operator of the process set is there already; it is said for each allocator.
        PixelAllocatorOptions container = PixelAllocatorOptions.ForContainer(options.MemoryPressure);
        options.MaxRentedBytes ??= Math.Max(1, container.MaxRentedBytes!.Value / Math.Max(1, names.Count));
        options.MaxPooledBytes ??= options.MaxRentedBytes;
    }
}
