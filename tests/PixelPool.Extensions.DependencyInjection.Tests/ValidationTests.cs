using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection.Tests;

/// <summary>What is wrong is said when the host starts, not at the first rent.</summary>
public class ValidationTests
{
    public static TheoryData<string, Action<PixelAllocatorOptions>> BadOptions => new()
    {
        { "BlockBytes", static options => options.BlockBytes = 3 },
        { "SmallBufferThresholdBytes", static options => options.SmallBufferThresholdBytes = -1 },
        { "SmallBuffers", static options => options.SmallBuffers = (SmallBufferStrategy)7 },
        { "UnpooledBlockBytes", static options => options.UnpooledBlockBytes = 0 },
        { "MaxPooledBytes", static options => options.MaxPooledBytes = -1 },
        { "MaxRentedBytes", static options => options.MaxRentedBytes = 0 },
        { "RentTimeout", static options => options.RentTimeout = TimeSpan.FromSeconds(-2) },
        { "LeakTracking", static options => options.LeakTracking = (LeakTracking)9 },
        { "RowAlignmentBytes", static options => options.RowAlignmentBytes = 5 },
        { "ArrayPool", static options => options.ArrayPool = null! },
        { "TrimPolicy", static options => options.TrimPolicy = null! },
        { "TimeProvider", static options => options.TimeProvider = null! },
        { "MemoryPressure", static options => options.MemoryPressure = null! },
    };

    [Theory]
    [MemberData(nameof(BadOptions))]
    public async Task Host_does_not_start_with_a_bad_option(string option, Action<PixelAllocatorOptions> configure)
    {
        OptionsValidationException error = await FailToStart(services => services.AddPixelPool(configure));
        Assert.StartsWith($"PixelPool: {option} must be ", Assert.Single(error.Failures), StringComparison.Ordinal);
    }

    [Fact]
    public async Task All_problems_are_said_at_once_with_the_name_of_the_allocator()
    {
        OptionsValidationException error = await FailToStart(static services =>
        {
            services.AddPixelPool();
            services.AddPixelPool("uploads", static options =>
            {
                options.BlockBytes = 3;
                options.RowAlignmentBytes = 5;
            });
        });
        Assert.Equal("uploads", error.OptionsName);
        Assert.Equal(
            [
                "PixelPool \"uploads\": BlockBytes must be a power of two from 64 KiB to 1 GiB.",
                "PixelPool \"uploads\": RowAlignmentBytes must be a power of two from 1 to 4,096.",
            ],
            error.Failures);
    }

    [Fact]
    public async Task Host_starts_with_good_options()
    {
        using IHost host = Build(static services => services.AddPixelPool());
        await host.StartAsync(TestContext.Current.CancellationToken);
        await host.StopAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public void Without_a_host_the_first_use_says_it()
    {
        var services = new ServiceCollection();
        services.AddPixelPool(static options => options.BlockBytes = 3);
        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.Throws<OptionsValidationException>(() => provider.GetRequiredService<PixelAllocator>());
    }

    [Fact]
    public void Options_bind_to_configuration()
    {
        IConfigurationRoot configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(new Dictionary<string, string?>
            {
                ["PixelPool:MaxRentedBytes"] = "12345678",
                ["PixelPool:RentTimeout"] = "00:00:05",
                ["PixelPool:LeakTracking"] = "Full",
                ["PixelPool:UseHugePages"] = "false",
            })
            .Build();
        var services = new ServiceCollection();
        services.AddPixelPool("bound");
        services.Configure<PixelAllocatorOptions>("bound", configuration.GetSection("PixelPool"));
        using ServiceProvider provider = services.BuildServiceProvider();
        PixelAllocatorOptions options = provider.GetRequiredService<IOptionsMonitor<PixelAllocatorOptions>>().Get("bound");
        Assert.Equal(
            (12345678L, TimeSpan.FromSeconds(5), LeakTracking.Full, false),
            (options.MaxRentedBytes, options.RentTimeout, options.LeakTracking, options.UseHugePages));
        Assert.Equal(12345678L, provider.GetRequiredKeyedService<PixelAllocator>("bound").GetStatistics().BudgetBytes);
    }

    private static async Task<OptionsValidationException> FailToStart(Action<IServiceCollection> register)
    {
        using IHost host = Build(register);
        return await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync(TestContext.Current.CancellationToken));
    }

    private static IHost Build(Action<IServiceCollection> register)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        register(builder.Services);
        return builder.Build();
    }
}
