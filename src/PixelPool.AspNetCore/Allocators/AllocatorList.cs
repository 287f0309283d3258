using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using PixelPool.Configuration;

namespace PixelPool.AspNetCore.Allocators;

/// <summary>
/// The allocators of an application: those among its services, with and without a key, and <see cref="PixelAllocator.Shared"/> as soon as it served anybody, or if
/// there is no other. Thread-safe.
/// </summary>
/// <param name="provider">The root of the container. It is asked until it has answered once: later it may be disposed.</param>
internal sealed class AllocatorList(IServiceProvider provider)
{
    // A factory of the application that fails is called again at the next look.
    private readonly Lazy<PixelAllocator[]> _registered = new(() => Find(provider), LazyThreadSafetyMode.PublicationOnly);

    public IReadOnlyList<PixelAllocator> Current()
    {
        PixelAllocator[] registered = _registered.Value;
        PixelAllocator shared = PixelAllocator.Shared;
        return Array.IndexOf(registered, shared) >= 0 || (registered.Length > 0 && !WasUsed(shared.GetStatistics())) ? registered : [.. registered, shared];
    }

    private static bool WasUsed(in PixelPoolStatistics statistics) =>
        statistics.Rents > 0 || statistics.ExternalBytes > 0 || statistics.ChargedBytes > 0;

    private static PixelAllocator[] Find(IServiceProvider provider)
    {
        IEnumerable<PixelAllocator> found = provider.GetServices<PixelAllocator>();

        // Containers of other makers may have no keys.
        if (provider is IKeyedServiceProvider)
        {
            found = found.Concat(provider.GetServices<RegisteredName>().Select(registered => provider.GetRequiredKeyedService<PixelAllocator>(registered.Name)));
            found = KnowsItsKeys(provider) ? found.Concat(provider.GetKeyedServices<PixelAllocator>(KeyedService.AnyKey)) : found;
        }

        return [.. found.Distinct()];
    }

    // Asked for all keys, version 8 finds nothing, and version 9 passes the question itself to the factories, as their key.
    private static bool KnowsItsKeys(IServiceProvider provider)
    {
        AssemblyName container = provider.GetType().Assembly.GetName();
        AssemblyName asked = container.Name == "Microsoft.Extensions.DependencyInjection" ? container : typeof(KeyedService).Assembly.GetName();
        return asked.Version is { Major: >= 10 };
    }
}
