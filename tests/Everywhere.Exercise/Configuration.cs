using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using PixelPool.Extensions.DependencyInjection;

namespace Everywhere.Exercise;

/// <summary>How an application says what it wants. The variables are set by the script that runs the program.</summary>
internal static class Configuration
{
    private const string IgnoredVariable = "PIXELPOOL_BLOCK_BYTES";

    /// <summary>Why nothing can be read; null where something can.</summary>
    public static string? NoSettings => Environment.GetEnvironmentVariable(IgnoredVariable) is null ? "none are set" : null;

    public static void SettingsAreRead()
    {
        Checks.Equal(512L << 20, new PixelAllocatorOptions().MaxPooledBytes);
        InvalidSetting ignored = PixelAllocatorOptions.IgnoredSettings.Single();
        Checks.Equal((IgnoredVariable, "nonsense"), (ignored.Name, ignored.Value));
        Checks.True(ignored.Reason.Length > 0, ignored.ToString());
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
        Checks.Contains("MaxRentedBytes", Refusal(provider, "bad"));
    }

    public static void SectionsAreBoundWithoutReflection()
    {
        IConfiguration configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(new Dictionary<string, string?>
            {
                ["Good:MaxRentedBytes"] = "24M",
                ["Good:TrimPolicy"] = "Halving(60, 0.5)",
                ["Good:SmallBuffers"] = "slab",
                ["Good:LeakTracking"] = "Full",
                ["Bad:TrimPolicy"] = "Nonee",
            })
            .Build();
        var services = new ServiceCollection();
        services.AddPixelPool("good", configuration.GetSection("Good"));
        services.AddPixelPool("bad", configuration.GetSection("Bad"));
        using ServiceProvider provider = services.BuildServiceProvider();
        PixelAllocatorOptions options = provider.GetRequiredService<IOptionsMonitor<PixelAllocatorOptions>>().Get("good");
        Checks.Equal("Halving(00:01:00, 0.5)", options.TrimPolicy.ToString());
        Checks.Equal((SmallBufferStrategy.Slab, LeakTracking.Full), (options.SmallBuffers, options.LeakTracking));
        Checks.Equal(24L << 20, provider.GetRequiredKeyedService<PixelAllocator>("good").GetStatistics().BudgetBytes);
        Checks.Contains("Bad:TrimPolicy=Nonee cannot be used. It is not Demand, None or Halving", Refusal(provider, "bad"));
    }

    private static string Refusal(IServiceProvider provider, string name)
    {
        try
        {
            provider.GetRequiredKeyedService<PixelAllocator>(name);
        }
        catch (OptionsValidationException e)
        {
            return e.Message;
        }

        throw new InvalidOperationException("Invalid options were accepted.");
    }
}
