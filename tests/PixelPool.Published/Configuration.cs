using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using PixelPool.Extensions.DependencyInjection;

namespace PixelPool.Published;

/// <summary>How an application says what it wants. The variables are set by the script that runs the program.</summary>
internal static class Configuration
{
    public static void SettingsAreRead()
    {
        Checks.Equal(512L << 20, new PixelAllocatorOptions().MaxPooledBytes);
        Checks.Equal("PIXELPOOL_BLOCK_BYTES", PixelAllocatorOptions.IgnoredSettings.Single().Name);
    }

    public static void ContainerMakesThem()
    {
        var services = new ServiceCollection();
        services.AddMetrics();
        services.AddPixelPool();
        services.AddPixelPool("uploads", static options => options.MaxRentedBytes = 16 << 20);
        services.AddPixelPool("bad", static options => options.MaxRentedBytes = -1);
        using ServiceProvider provider = services.BuildServiceProvider();
        provider.GetRequiredService<PixelAllocator>().Rent<uint>(100, 100).Dispose();
        Checks.Equal(16L << 20, provider.GetRequiredKeyedService<PixelAllocator>("uploads").GetStatistics().BudgetBytes);
        try
        {
            provider.GetRequiredKeyedService<PixelAllocator>("bad");
        }
        catch (OptionsValidationException e)
        {
            Checks.Contains("MaxRentedBytes", e.Message);
            return;
        }

        throw new InvalidOperationException("A budget of −1 bytes was accepted.");
    }
}
