using PixelPool.Configuration;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Configuration;

public class ProcessSettingsTests
{
    private const long MiB = 1 << 20;

    private readonly Dictionary<string, string> _environment = [];
    private readonly Dictionary<string, object> _context = [];

    [Fact]
    public void Without_settings_options_have_their_defaults()
    {
        PixelAllocatorOptions options = Options();
        Assert.Equal((4 << 20, null, null), (options.BlockBytes, options.MaxPooledBytes, options.MaxRentedBytes));
        Assert.Equal(
            (TimeSpan.Zero, LeakTracking.Sampled, true, false),
            (options.RentTimeout, options.LeakTracking, options.UseHugePages, options.ClearOnReturn));
        Assert.Equal((SmallBufferStrategy.ArrayPool, TrimPolicy.Demand), (options.SmallBuffers, options.TrimPolicy));
        Assert.Empty(Read().Ignored);
    }

    [Fact]
    public void Every_setting_has_an_environment_variable()
    {
        _environment["PIXELPOOL_BLOCK_BYTES"] = "2M";
        _environment["PIXELPOOL_MAX_POOLED_BYTES"] = "100M";
        _environment["PIXELPOOL_MAX_RENTED_BYTES"] = " 300m ";
        _environment["PIXELPOOL_RENT_TIMEOUT"] = "1.5";
        _environment["PIXELPOOL_ASYNC_RENT_TIMEOUT"] = "00:00:20";
        _environment["PIXELPOOL_LONG_WAIT_THRESHOLD"] = "infinite";
        _environment["PIXELPOOL_LEAK_TRACKING"] = "full";
        _environment["PIXELPOOL_USE_HUGE_PAGES"] = "0";
        _environment["PIXELPOOL_CLEAR_ON_RETURN"] = "true";
        _environment["PIXELPOOL_TRIM_POLICY"] = "none";
        _environment["PIXELPOOL_SMALL_BUFFERS"] = "Slab";
        AssertChanged();
    }

    [Fact]
    public void Every_setting_has_a_value_of_the_application_context()
    {
        _context["PixelPool.BlockBytes"] = "2M";
        _context["PixelPool.MaxPooledBytes"] = 100 * MiB;
        _context["PixelPool.MaxRentedBytes"] = (int)(300 * MiB);
        _context["PixelPool.RentTimeout"] = TimeSpan.FromSeconds(1.5);
        _context["PixelPool.AsyncRentTimeout"] = TimeSpan.FromSeconds(20);
        _context["PixelPool.LongWaitThreshold"] = Timeout.InfiniteTimeSpan;
        _context["PixelPool.LeakTracking"] = LeakTracking.Full;
        _context["PixelPool.UseHugePages"] = false;
        _context["PixelPool.ClearOnReturn"] = "1";
        _context["PixelPool.TrimPolicy"] = TrimPolicy.None;
        _context["PixelPool.SmallBuffers"] = SmallBufferStrategy.Slab;
        AssertChanged();
    }

    [Fact]
    public void The_environment_wins_over_the_context_and_code_over_both()
    {
        _context["PixelPool.MaxRentedBytes"] = "1M";
        _environment["PIXELPOOL_MAX_RENTED_BYTES"] = "2M";
        Assert.Equal(2 * MiB, Options().MaxRentedBytes);
        Assert.Equal(3 * MiB, new PixelAllocatorOptions(Read()) { MaxRentedBytes = 3 * MiB }.MaxRentedBytes);
        Assert.Null(new PixelAllocatorOptions(Read()) { MaxRentedBytes = null }.MaxRentedBytes);
    }

    [Theory]
    [InlineData("PIXELPOOL_MAX_RENTED_BYTES", "much")]
    [InlineData("PIXELPOOL_MAX_RENTED_BYTES", "-1")]
    [InlineData("PIXELPOOL_MAX_RENTED_BYTES", "0")]
    [InlineData("PIXELPOOL_MAX_POOLED_BYTES", "1,5G")]
    [InlineData("PIXELPOOL_BLOCK_BYTES", "3M")]
    [InlineData("PIXELPOOL_BLOCK_BYTES", "8G")]
    [InlineData("PIXELPOOL_BLOCK_BYTES", "999999999999G")]
    [InlineData("PIXELPOOL_BLOCK_BYTES", "1K")]
    [InlineData("PIXELPOOL_RENT_TIMEOUT", "-1")]
    [InlineData("PIXELPOOL_RENT_TIMEOUT", "25.00:00:00")]
    [InlineData("PIXELPOOL_RENT_TIMEOUT", "99999999999999999999")]
    [InlineData("PIXELPOOL_RENT_TIMEOUT", "soon")]
    [InlineData("PIXELPOOL_LEAK_TRACKING", "3")]
    [InlineData("PIXELPOOL_USE_HUGE_PAGES", "maybe")]
    [InlineData("PIXELPOOL_CLEAR_ON_RETURN", "2")]
    [InlineData("PIXELPOOL_TRIM_POLICY", "Nonee")]
    [InlineData("PIXELPOOL_TRIM_POLICY", "Halving")]
    [InlineData("PIXELPOOL_SMALL_BUFFERS", "1")]
    [InlineData("PIXELPOOL_MAX_RENTD_BYTES", "300M")]
    [InlineData("PIXELPOOL_NAME", "one name for all allocators")]
    [InlineData("PIXELPOOL_ROW_ALIGNMENT_BYTES", "64")]
    [InlineData("PIXELPOOL_", "1")]
    public void Bad_values_and_unknown_variables_are_ignored_and_said(string name, string value)
    {
        _environment[name] = value;
        InvalidSetting ignored = Assert.Single(Read().Ignored);
        Assert.Equal((name, value), (ignored.Name, ignored.Value));
        Assert.EndsWith(".", ignored.Reason, StringComparison.Ordinal);
        Assert.StartsWith($"{name}={value} is ignored. ", ignored.ToString(), StringComparison.Ordinal);
        Assert.Empty(Options().Validate());
        Assert.Equal(Describe(new PixelAllocatorOptions(Read([], []))), Describe(Options()));
    }

    [Fact]
    public void Variables_in_another_case_are_mistakes_where_that_is_another_name()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows does not tell upper case from lower case in the names of variables.");
        _environment["PIXELPOOL_Max_Rented_Bytes"] = "300M";
        Assert.Equal("PIXELPOOL_Max_Rented_Bytes", Assert.Single(Read().Ignored).Name);
        Assert.Null(Options().MaxRentedBytes);
    }

    [Theory]
    [InlineData("PIXELPOOL__MAXRENTEDBYTES")]
    [InlineData("PixelPool__MaxRentedBytes")] // among those that begin with PIXELPOOL_ on Windows
    [InlineData("PIXELPOOL_SERVICE_HOST")]
    [InlineData("PIXELPOOL_PORT")]
    [InlineData("PIXELPOOL_PORT_8080_TCP_ADDR")]
    public void What_others_write_is_no_mistake(string name)
    {
        _environment[name] = "300000000";
        Assert.Empty(Read().Ignored);
        Assert.Null(Options().MaxRentedBytes);
    }

    [Fact]
    public void Reasons_name_what_is_allowed_and_what_there_is()
    {
        _environment["PIXELPOOL_BLOCK_BYTES"] = "3M";
        _environment["PIXELPOOL_LEAK_TRACKING"] = "all";
        _environment["PIXELPOOL_LIMIT"] = "1";
        _environment["PIXELPOOL_SMALL_BUFFERS"] = "Slabs";
        _environment["PIXELPOOL_TRIM_POLICY"] = "Halving(60)";
        Assert.Equal(
            [
                "It must be a power of two from 64 KiB to 1 GiB.",
                "It is not ArrayPool, Slab or None.",
                "It is not Demand, None or Halving(period, rate), such as Halving(60, 0.5): a duration of at most 49 days, and the fraction to give back, at most 1.",
                "It is not Off, Sampled or Full.",
                "There is no such setting. The settings are PIXELPOOL_BLOCK_BYTES, PIXELPOOL_SMALL_BUFFERS, PIXELPOOL_MAX_POOLED_BYTES, "
                    + "PIXELPOOL_MAX_RENTED_BYTES, PIXELPOOL_RENT_TIMEOUT, PIXELPOOL_ASYNC_RENT_TIMEOUT, PIXELPOOL_LONG_WAIT_THRESHOLD, PIXELPOOL_TRIM_POLICY, "
                    + "PIXELPOOL_USE_HUGE_PAGES, PIXELPOOL_CLEAR_ON_RETURN, PIXELPOOL_LEAK_TRACKING, PIXELPOOL_GUARDED_RENT_SAMPLING.",
            ],
            Read().Ignored.Select(static ignored => ignored.Reason));
    }

    [Fact]
    public void The_context_serves_where_the_environment_says_nothing_usable()
    {
        _environment["PIXELPOOL_MAX_RENTED_BYTES"] = "much";
        _environment["PIXELPOOL_MAX_POOLED_BYTES"] = "";
        _context["PixelPool.MaxRentedBytes"] = "5M";
        _context["PixelPool.MaxPooledBytes"] = "6M";
        PixelAllocatorOptions options = Options();
        Assert.Equal((5 * MiB, 6 * MiB), (options.MaxRentedBytes, options.MaxPooledBytes));
        Assert.Equal("PIXELPOOL_MAX_RENTED_BYTES", Assert.Single(Read().Ignored).Name);
    }

    [Fact]
    public void Bad_values_of_the_context_are_said_by_their_own_name()
    {
        _context["PixelPool.MaxRentedBytes"] = -5;
        InvalidSetting ignored = Assert.Single(Read().Ignored);
        Assert.Equal(("PixelPool.MaxRentedBytes", "-5"), (ignored.Name, ignored.Value));
    }

    [Fact]
    public void Empty_variables_are_no_mistakes()
    {
        _environment["PIXELPOOL_LEAK_TRACKING"] = "  ";
        Assert.Empty(Read().Ignored);
    }

    [Theory]
    [InlineData(null, null, 352 * MiB, 352 * MiB)]
    [InlineData("200M", null, 200 * MiB, 200 * MiB)]
    [InlineData(null, "64M", 352 * MiB, 64 * MiB)]
    [InlineData("200M", "64M", 200 * MiB, 64 * MiB)]
    public void Options_for_a_container_keep_what_the_operator_set(string? rented, string? pooled, long maxRented, long maxPooled)
    {
        _environment["PIXELPOOL_MAX_RENTED_BYTES"] = rented ?? string.Empty;
        _environment["PIXELPOOL_MAX_POOLED_BYTES"] = pooled ?? string.Empty;
        var pressure = new ManualMemoryPressure { AvailableBytes = 512 * MiB };
        PixelAllocatorOptions options = PixelAllocatorOptions.ForContainer(pressure, Read());
        Assert.Equal((maxRented, maxPooled), (options.MaxRentedBytes, options.MaxPooledBytes));
    }

    private void AssertChanged()
    {
        ProcessSettings settings = Read();
        Assert.Empty(settings.Ignored);
        var options = new PixelAllocatorOptions(settings);
        Assert.Equal((2 << 20, 100 * MiB, 300 * MiB), (options.BlockBytes, options.MaxPooledBytes, options.MaxRentedBytes));
        Assert.Equal(
            (TimeSpan.FromSeconds(1.5), LeakTracking.Full, false, true),
            (options.RentTimeout, options.LeakTracking, options.UseHugePages, options.ClearOnReturn));
        Assert.Equal((SmallBufferStrategy.Slab, TrimPolicy.None), (options.SmallBuffers, options.TrimPolicy));
        Assert.Equal((TimeSpan.FromSeconds(20), Timeout.InfiniteTimeSpan), (options.AsyncRentTimeout, options.LongWaitThreshold));
    }

    private static object Describe(PixelAllocatorOptions options) => (
        options.BlockBytes,
        options.MaxPooledBytes,
        options.MaxRentedBytes,
        options.RentTimeout,
        options.LeakTracking,
        options.UseHugePages,
        options.ClearOnReturn,
        options.SmallBuffers,
        options.TrimPolicy);

    private PixelAllocatorOptions Options() => new(Read());

    private ProcessSettings Read() => Read(_environment, _context);

    private static ProcessSettings Read(Dictionary<string, string> environment, Dictionary<string, object> context) =>
        new(PixelAllocatorOptions.OperatorSettings, PixelAllocatorOptions.FindProblem, environment, name => context.GetValueOrDefault(name));
}
