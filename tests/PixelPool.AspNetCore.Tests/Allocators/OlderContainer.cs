using System.Runtime.Loader;
using Microsoft.Extensions.DependencyInjection;

namespace PixelPool.AspNetCore.Tests.Allocators;

/// <summary>Containers of .NET 8 and 9, beside the one that the tests have. The build puts them there.</summary>
internal static class OlderContainer
{
    public static IServiceProvider Build(string version, IServiceCollection services)
    {
        string file = Path.Combine(AppContext.BaseDirectory, "Containers", version, "Microsoft.Extensions.DependencyInjection.dll");
        object provider = new AssemblyLoadContext(version).LoadFromAssemblyPath(file)
            .GetType("Microsoft.Extensions.DependencyInjection.ServiceCollectionContainerBuilderExtensions", throwOnError: true)!
            .GetMethod(nameof(ServiceCollectionContainerBuilderExtensions.BuildServiceProvider), [typeof(IServiceCollection)])!
            .Invoke(null, [services])!;
        return (IServiceProvider)provider;
    }
}
