using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>The allocators of one container. It is filled while services are registered, and only read afterwards.</summary>
internal sealed class AllocatorNames
{
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);

    public int Count => _names.Count;

    /// <summary>Those of a service collection. The first look registers them, and the defaults before anything else that configures the options.</summary>
    public static AllocatorNames Of(IServiceCollection services)
    {
        foreach (ServiceDescriptor service in services)
        {
            if (service is { IsKeyedService: false, ImplementationInstance: AllocatorNames found })
            {
                return found;
            }
        }

        var names = new AllocatorNames();
        services.AddSingleton(names);

        // First, because options are configured in the order of registration, and whatever the application says must win.
        services.Insert(0, ServiceDescriptor.Singleton<IConfigureOptions<PixelAllocatorOptions>, ServiceDefaults>());
        return names;
    }

    /// <returns>False when it is among them already.</returns>
    public bool Add(string name) => _names.Add(name);
}
