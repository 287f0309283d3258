using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using PixelPool.Testing;

namespace PixelPool.Extensions.DependencyInjection.Tests;

/// <summary>Options from configuration: nothing in a section is ignored without a word.</summary>
public class ConfigurationTests
{
    private const long MiB = 1 << 20;

    [Fact]
    public void Every_option_is_set_by_its_name()
    {
        PixelAllocatorOptions options = Bind("""
            {
              "PixelPool": {
                "BlockBytes": "2M",
                "SmallBufferThresholdBytes": "512K",
                "SmallBuffers": "Slab",
                "UnpooledBlockBytes": 1048576,
                "MaxPooledBytes": "1.5G",
                "MaxRentedBytes": "300M",
                "RentTimeout": "00:00:30",
                "AsyncRentTimeout": 20,
                "LongWaitThreshold": "infinite",
                "TrimPolicy": "None",
                "RowAlignmentBytes": 64,
                "PreferContiguousImageBuffers": true,
                "UseHugePages": false,
                "ClearOnReturn": "1",
                "LeakTracking": "full",
                "Name": "photos"
              }
            }
            """);
        Assert.Equal(
            (2 << 20, 512 << 10, SmallBufferStrategy.Slab, 1 << 20, 1536 * MiB, 300 * MiB),
            (options.BlockBytes, options.SmallBufferThresholdBytes, options.SmallBuffers, options.UnpooledBlockBytes, options.MaxPooledBytes, options.MaxRentedBytes));
        Assert.Equal((TimeSpan.FromSeconds(30), TrimPolicy.None, 64, true), (options.RentTimeout, options.TrimPolicy, options.RowAlignmentBytes, options.PreferContiguousImageBuffers));
        Assert.Equal((false, true, LeakTracking.Full, "photos"), (options.UseHugePages, options.ClearOnReturn, options.LeakTracking, options.Name));
        Assert.Equal((TimeSpan.FromSeconds(20), Timeout.InfiniteTimeSpan), (options.AsyncRentTimeout, options.LongWaitThreshold));
    }

    [Fact]
    public async Task The_page_shows_how_a_host_is_configured()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddJsonStream(Stream(Assert.Single(new MarkdownPage("docs/memory.md").Blocks("json"))));

        #region docs/memory.md
        builder.Services.AddPixelPool(builder.Configuration.GetSection("PixelPool"));
        #endregion

        using IHost host = builder.Build();
        await host.StartAsync(TestContext.Current.CancellationToken);
        PixelAllocatorOptions options = host.Services.GetRequiredService<IOptions<PixelAllocatorOptions>>().Value;
        Assert.Equal((300 * MiB, TimeSpan.FromSeconds(30), TrimPolicy.None), (options.MaxRentedBytes, options.RentTimeout, options.TrimPolicy));
        await host.StopAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public void A_policy_can_have_figures() =>
        Assert.Equal("Halving(00:01:00, 0.5)", Bind("""{ "PixelPool": { "trimpolicy": "halving(60, 0.5)" } }""").TrimPolicy.ToString());

    [Fact]
    public void Later_sources_win_in_the_spelling_of_environment_variables()
    {
        IConfiguration configuration = new ConfigurationBuilder()
            .AddJsonStream(Stream("""{ "PixelPool": { "MaxRentedBytes": "300M" } }"""))
            .AddInMemoryCollection(new Dictionary<string, string?> { ["PIXELPOOL:MAXRENTEDBYTES"] = "200m" })
            .Build();
        Assert.Equal(200 * MiB, Options(services => services.AddPixelPool(configuration.GetSection("PixelPool"))).MaxRentedBytes);
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{ "PixelPool": {} }""")]
    [InlineData("""{ "PixelPool": null }""")]
    [InlineData("""{ "Pixelpol": { "MaxRentedBytes": 1 } }""")]
    public async Task An_empty_section_or_none_changes_nothing(string json)
    {
        using IHost host = Build(services => services.AddPixelPool(Section(json)));
        await host.StartAsync(TestContext.Current.CancellationToken);
        PixelAllocatorOptions options = host.Services.GetRequiredService<IOptions<PixelAllocatorOptions>>().Value;
        Assert.Equal((4 << 20, TrimPolicy.Demand), (options.BlockBytes, options.TrimPolicy));
        await host.StopAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task All_that_is_wrong_is_said_when_the_host_starts_with_path_and_value()
    {
        OptionsValidationException error = await FailToStart(
            static services => services.AddPixelPool(
                Section("""
                    {
                      "PixelPool": {
                        "BlockBytes": "3M",
                        "UnpooledBlockBytes": "4G",
                        "MaxRentedBytes": "lots",
                        "RentTimeout": "",
                        "TrimPolicy": "Halving(60, 2)",
                        "UseHugePages": null,
                        "LeakTracking": 2,
                        "MaxRentBytes": "300M"
                      }
                    }
                    """),
                static options => options.RowAlignmentBytes = 5));
        Assert.Equal(
            [
                "PixelPool: PixelPool:BlockBytes=3M cannot be used. It must be a power of two from 64 KiB to 1 GiB.",
                "PixelPool: PixelPool:LeakTracking=2 cannot be used. It is not Off, Sampled or Full.",
                "PixelPool: PixelPool:MaxRentBytes=300M cannot be used. There is no such setting. The settings are BlockBytes, SmallBuffers, MaxPooledBytes, "
                    + "MaxRentedBytes, RentTimeout, AsyncRentTimeout, LongWaitThreshold, TrimPolicy, UseHugePages, ClearOnReturn, LeakTracking, GuardedRentSampling, SmallBufferThresholdBytes, UnpooledBlockBytes, "
                    + "RowAlignmentBytes, PreferContiguousImageBuffers, Name.",
                "PixelPool: PixelPool:MaxRentedBytes=lots cannot be used. It is not a size of less than 8 EiB: decimal bytes, or a decimal number with K, M or G (of 1,024), such as 300M or 300Mi.",
                "PixelPool: PixelPool:RentTimeout= cannot be used. It is not a duration: decimal seconds, hours:minutes:seconds, or infinite.",
                "PixelPool: PixelPool:TrimPolicy=Halving(60, 2) cannot be used. It is not Demand, None or Halving(period, rate), such as Halving(60, 0.5): "
                    + "a duration of at most 49 days, and the fraction to give back, at most 1.",
                "PixelPool: PixelPool:UnpooledBlockBytes=4G cannot be used. It must be at least 64 KiB and less than 2 GiB.",
                "PixelPool: PixelPool:UseHugePages=null cannot be used. It is not 0, 1, true or false.",
                "PixelPool: RowAlignmentBytes must be a power of two from 1 to 4,096.",
            ],
            error.Failures.Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("ArrayPool")]
    [InlineData("TimeProvider")]
    [InlineData("memorypressure")]
    [InlineData("MeterFactory")]
    public async Task An_option_that_is_an_object_is_for_code(string option)
    {
        OptionsValidationException error = await FailToStart(services => services.AddPixelPool(Section($$"""{ "PixelPool": { "{{option}}": "Shared" } }""")));
        Assert.Equal($"PixelPool: PixelPool:{option}=Shared cannot be used. It is an object: set it in code.", Assert.Single(error.Failures));
    }

    [Theory]
    [InlineData("""{ "PixelPool": { "TrimPolicy": { "Halving": "60" } } }""", "PixelPool:TrimPolicy cannot be used. It is a section, and a setting has one value.")]
    [InlineData("""{ "PixelPool": { "Name": ["a", "b"] } }""", "PixelPool:Name cannot be used. It is a section, and a setting has one value.")]
    [InlineData("""{ "PixelPool": { "uploads": { "Name": "a" } } }""", "PixelPool:uploads cannot be used. It is a section, and a setting has one value.")]
    [InlineData("""{ "PixelPool": "300M" }""", "PixelPool=300M cannot be used. It is a value, and the settings are in a section.")]
    public async Task Sections_and_values_are_not_mixed_up(string json, string failure)
    {
        OptionsValidationException error = await FailToStart(services => services.AddPixelPool(Section(json)));
        Assert.Equal("PixelPool: " + failure, Assert.Single(error.Failures));
    }

    [Fact]
    public void Allocators_can_be_listed_in_configuration()
    {
        IConfiguration configuration = Json("""
            {
              "Allocators": {
                "uploads": { "MaxRentedBytes": "64M" },
                "previews": { "MaxRentedBytes": "16M", "TrimPolicy": "None" }
              }
            }
            """);
        var services = new ServiceCollection();
        foreach (IConfigurationSection section in configuration.GetSection("Allocators").GetChildren())
        {
            services.AddPixelPool(section.Key, section);
        }

        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.Equal(64 * MiB, provider.GetRequiredKeyedService<PixelAllocator>("uploads").GetStatistics().BudgetBytes);
        Assert.Equal(16 * MiB, provider.GetRequiredKeyedService<PixelAllocator>("previews").GetStatistics().BudgetBytes);
        IOptionsMonitor<PixelAllocatorOptions> options = provider.GetRequiredService<IOptionsMonitor<PixelAllocatorOptions>>();
        Assert.Equal((TrimPolicy.Demand, TrimPolicy.None), (options.Get("uploads").TrimPolicy, options.Get("previews").TrimPolicy));
        Assert.Equal("uploads", options.Get("uploads").Name);
    }

    [Fact]
    public async Task What_is_wrong_with_a_named_allocator_is_said_with_its_name_and_nothing_of_the_others()
    {
        OptionsValidationException error = await FailToStart(static services =>
        {
            services.AddPixelPool("good", Section("""{ "PixelPool": { "MaxRentedBytes": "1M" } }"""));
            services.AddPixelPool("uploads", Section("""{ "PixelPool": { "MaxRentedBytes": "0" } }"""));
        });
        Assert.Equal("PixelPool \"uploads\": PixelPool:MaxRentedBytes=0 cannot be used. It must be 1 or more, or null.", Assert.Single(error.Failures));
    }

    [Fact]
    public void Code_changes_further_what_configuration_says()
    {
        PixelAllocatorOptions options = Options(static services =>
        {
            services.AddPixelPool(static options => options.BlockBytes = 1 << 20);
            services.AddPixelPool(
                Section("""{ "PixelPool": { "BlockBytes": "2M", "MaxRentedBytes": "300M" } }"""),
                static options => options.MaxRentedBytes /= 3);
        });
        Assert.Equal((2 << 20, 100 * MiB), (options.BlockBytes, options.MaxRentedBytes));
    }

    [Theory]
    [InlineData("""{ "PixelPool": { "MaxRentedBytes": "300M" } }""", 300 * MiB)]
    [InlineData("""{ "PixelPool": { "MaxRentedBytes": null } }""", null)]
    [InlineData("""{ "PixelPool": { "ClearOnReturn": true } }""", 352 * MiB)]
    public void Configuration_wins_over_the_budget_of_a_container(string json, long? budget)
    {
        PixelAllocatorOptions options = Options(services =>
        {
            services.AddSingleton<MemoryPressureSource>(new FakeMemory(512 * MiB, isLimited: true));
            services.AddPixelPool(Section(json));
        });
        Assert.Equal(budget, options.MaxRentedBytes);
    }

    [Fact]
    public void Reloaded_configuration_changes_nothing()
    {
        IConfigurationRoot configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(new Dictionary<string, string?> { ["PixelPool:MaxRentedBytes"] = "300M" })
            .Build();
        var services = new ServiceCollection();
        services.AddPixelPool(configuration.GetSection("PixelPool"));
        using ServiceProvider provider = services.BuildServiceProvider();
        PixelAllocator allocator = provider.GetRequiredService<PixelAllocator>();
        configuration["PixelPool:MaxRentedBytes"] = "lots";
        configuration.Reload();
        Assert.Equal(300 * MiB, provider.GetRequiredService<IOptionsMonitor<PixelAllocatorOptions>>().CurrentValue.MaxRentedBytes);
        Assert.Equal(300 * MiB, allocator.GetStatistics().BudgetBytes);
    }

    [Fact]
    public async Task A_root_is_a_section_but_what_else_is_in_it_may_be_secret()
    {
        Assert.Equal(7 * MiB, Options(static services => services.AddPixelPool(Json("""{ "MaxRentedBytes": "7M" }"""))).MaxRentedBytes);
        OptionsValidationException error = await FailToStart(static services => services.AddPixelPool(Json("""{ "DATABASE_PASSWORD": "hunter2" }""")));
        Assert.StartsWith("PixelPool: DATABASE_PASSWORD cannot be used. There is no such setting. ", Assert.Single(error.Failures), StringComparison.Ordinal);
    }

    [Fact]
    public void Arguments_must_be_there()
    {
        var services = new ServiceCollection();
        IConfigurationRoot configuration = Json("{}");
        Assert.Throws<ArgumentNullException>("services", () => ((IServiceCollection)null!).AddPixelPool(configuration));
        Assert.Throws<ArgumentNullException>("services", () => ((IServiceCollection)null!).AddPixelPool("a", configuration));
        Assert.Throws<ArgumentNullException>("section", () => services.AddPixelPool((IConfiguration)null!));
        Assert.Throws<ArgumentNullException>("section", () => services.AddPixelPool("a", (IConfiguration)null!));
        Assert.Throws<ArgumentException>("name", () => services.AddPixelPool(string.Empty, configuration));
        Assert.Empty(services);
    }

    private static PixelAllocatorOptions Bind(string json) => Options(services => services.AddPixelPool(Section(json)));

    private static PixelAllocatorOptions Options(Action<IServiceCollection> register)
    {
        var services = new ServiceCollection();
        register(services);
        using ServiceProvider provider = services.BuildServiceProvider();
        return provider.GetRequiredService<IOptions<PixelAllocatorOptions>>().Value;
    }

    private static IConfigurationSection Section(string json) => Json(json).GetSection("PixelPool");

    private static IConfigurationRoot Json(string json) => new ConfigurationBuilder().AddJsonStream(Stream(json)).Build();

    private static MemoryStream Stream(string json) => new(Encoding.UTF8.GetBytes(json));

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
