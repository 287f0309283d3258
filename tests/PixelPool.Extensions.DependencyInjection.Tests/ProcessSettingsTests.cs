using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection.Tests;

/// <summary>What the operator of the process set. It is read once, so all tests of this executable live with these settings.</summary>
public class ProcessSettingsTests
{
    private const long MiB = 1 << 20;

    [ModuleInitializer]
    internal static void Set()
    {
        Environment.SetEnvironmentVariable("PIXELPOOL_RENT_TIMEOUT", "1.5");
        Environment.SetEnvironmentVariable("PIXELPOOL_MAX_RENTED_BYTES", "lots");
        Environment.SetEnvironmentVariable("PIXELPOOL_MAX_RENTD_BYTES", "300M");
        AppContext.SetData("PixelPool.RentTimeout", "7");
    }

    [Fact]
    public void Operator_sets_defaults_and_the_application_wins()
    {
        var services = new ServiceCollection();
        services.AddPixelPool();
        services.AddPixelPool("own", static options => options.RentTimeout = TimeSpan.FromSeconds(9));
        using ServiceProvider provider = services.BuildServiceProvider();
        IOptionsMonitor<PixelAllocatorOptions> options = provider.GetRequiredService<IOptionsMonitor<PixelAllocatorOptions>>();
        Assert.Equal(TimeSpan.FromSeconds(1.5), options.CurrentValue.RentTimeout);
        Assert.Equal(TimeSpan.FromSeconds(9), options.Get("own").RentTimeout);
    }

    [Fact]
    public void Ignored_settings_are_logged_once_per_container()
    {
        using var logs = new RecordedLogs();
        var services = new ServiceCollection();
        services.AddLogging(logging => logging.AddProvider(logs));
        services.AddPixelPool(static options => options.MaxRentedBytes = MiB);
        services.AddPixelPool("a");
        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.Empty(logs.Lines);
        provider.GetRequiredService<PixelAllocator>();
        provider.GetRequiredKeyedService<PixelAllocator>("a");
        Assert.Equal(2, logs.Lines.Count);
        Assert.Contains(
            "Warning PixelPool: The setting PIXELPOOL_MAX_RENTED_BYTES=lots is ignored. "
                + "It is not a size of less than 8 EiB: decimal bytes, or a decimal number with K, M or G (of 1,024), such as 300M or 300Mi.",
            logs.Lines);
        Assert.Contains(logs.Lines, static line => line.StartsWith("Warning PixelPool: The setting PIXELPOOL_MAX_RENTD_BYTES=300M is ignored.", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Ignored_settings_are_logged_when_the_host_starts()
    {
        using var logs = new RecordedLogs();
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(logs);
        builder.Services.AddPixelPool();
        builder.Services.AddPixelPool("a");
        using IHost host = builder.Build();
        await host.StartAsync(TestContext.Current.CancellationToken);
        Assert.Equal(2, logs.Lines.Count(static line => line.StartsWith("Warning PixelPool: The setting PIXELPOOL_", StringComparison.Ordinal)));
        await host.StopAsync(TestContext.Current.CancellationToken);
    }
}
