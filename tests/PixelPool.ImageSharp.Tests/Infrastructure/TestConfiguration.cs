using SixLabors.ImageSharp;
using SixLabors.ImageSharp.Memory;

namespace ImageSharp.Tests.Infrastructure;

/// <summary>ImageSharp's configurations, with one allocator or another. None of them is the default of the process.</summary>
internal static class TestConfiguration
{
    public static Configuration With(MemoryAllocator allocator)
    {
        Configuration configuration = Configuration.Default.Clone();
        configuration.MemoryAllocator = allocator;
        return configuration;
    }

    /// <summary>With ImageSharp's own allocator: what everything is compared with.</summary>
    public static Configuration OfImageSharp() => With(MemoryAllocator.Create());

    public static Configuration With(PixelAllocator allocator) => With(new PixelPoolMemoryAllocator(allocator));
}
