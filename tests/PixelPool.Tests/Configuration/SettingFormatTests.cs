using System.Globalization;
using PixelPool.Configuration;

namespace PixelPool.Tests.Configuration;

public class SettingFormatTests
{
    [Theory]
    [InlineData("0", 0L)]
    [InlineData("1", 1L)]
    [InlineData("0010", 10L)]
    [InlineData("4194304", 4L << 20)]
    [InlineData("7K", 7L << 10)]
    [InlineData("300M", 300L << 20)]
    [InlineData("300m", 300L << 20)]
    [InlineData("2G", 2L << 30)]
    [InlineData("1.5g", 3L << 29)]
    [InlineData(".5K", 512L)]
    [InlineData("0.0001K", 0L)]
    [InlineData("9223372036854775807", long.MaxValue)]
    [InlineData("9223372036854775808", null)]
    [InlineData("99999999999G", null)]
    [InlineData("", null)]
    [InlineData("M", null)]
    [InlineData("-1", null)]
    [InlineData("-1M", null)]
    [InlineData("+1", null)]
    [InlineData("1.5", null)]
    [InlineData("1,5M", null)]
    [InlineData("1,000", null)]
    [InlineData("0x10", null)]
    [InlineData("1e3", null)]
    [InlineData("300 M", null)]
    [InlineData("300MB", null)]
    [InlineData("300Mi", 300L << 20)]
    [InlineData("300MiB", 300L << 20)]
    [InlineData("1.5gib", 3L << 29)]
    [InlineData("300i", null)]
    [InlineData("300iB", null)]
    [InlineData("i", null)]
    [InlineData("iB", null)]
    [InlineData("Mi", null)]
    [InlineData("1T", null)]
    [InlineData("٣M", null)]
    [InlineData("99999999999999999999999999999999999999", null)]
    public void Sizes(string text, long? expected) => Assert.Equal(expected, Parse<long>(SettingFormats.Size, text));

    [Theory]
    [InlineData("0", false)]
    [InlineData("1", true)]
    [InlineData("true", true)]
    [InlineData("False", false)]
    [InlineData("TRUE", true)]
    [InlineData("2", null)]
    [InlineData("yes", null)]
    [InlineData("", null)]
    public void Switches(string text, bool? expected) => Assert.Equal(expected, Parse<bool>(SettingFormats.Switch, text));

    [Theory]
    [InlineData("0", 0d)]
    [InlineData("30", 30d)]
    [InlineData("0.25", 0.25)]
    [InlineData("00:01:30", 90d)]
    [InlineData("00:00:01.5", 1.5)]
    [InlineData("1.00:00:00", 86400d)]
    [InlineData("23:59:59", 86399d)]
    [InlineData("24:00:00", null)]
    [InlineData("infinite", -0.001)]
    [InlineData("Infinite", -0.001)]
    [InlineData("-00:00:01", -1d)]
    [InlineData("-5", null)]
    [InlineData("0:30", null)]
    [InlineData("1.00:30", null)]
    [InlineData("0,25", null)]
    [InlineData("5s", null)]
    [InlineData("", null)]
    public void Durations(string text, double? seconds) =>
        Assert.Equal(seconds is { } value ? TimeSpan.FromSeconds(value) : null, Parse<TimeSpan>(SettingFormats.Duration, text));

    [Fact]
    public void A_duration_that_no_clock_has_is_the_longest() => Assert.Equal(TimeSpan.MaxValue, Parse<TimeSpan>(SettingFormats.Duration, "99999999999999999999"));

    [Theory]
    [InlineData("off", LeakTracking.Off)]
    [InlineData("Sampled", LeakTracking.Sampled)]
    [InlineData("FULL", LeakTracking.Full)]
    [InlineData("2", null)]
    [InlineData("Off,Full", null)]
    public void Leak_tracking(string text, LeakTracking? expected) => Assert.Equal(expected, Parse<LeakTracking>(SettingFormats.OneOf, text));

    [Theory]
    [InlineData("arraypool", SmallBufferStrategy.ArrayPool)]
    [InlineData("Slab", SmallBufferStrategy.Slab)]
    [InlineData("NONE", SmallBufferStrategy.None)]
    [InlineData("0", null)]
    [InlineData("Slab, None", null)]
    public void Small_buffers(string text, SmallBufferStrategy? expected) => Assert.Equal(expected, Parse<SmallBufferStrategy>(SettingFormats.OneOf, text));

    [Fact]
    public void Every_value_of_an_enumeration_has_its_name()
    {
        Assert.All(Enum.GetValues<LeakTracking>(), static value => Assert.Equal(value, Parse<LeakTracking>(SettingFormats.OneOf, value.ToString())));
        Assert.All(Enum.GetValues<SmallBufferStrategy>(), static value => Assert.Equal(value, Parse<SmallBufferStrategy>(SettingFormats.OneOf, value.ToString())));
    }

    [Theory]
    [InlineData("Demand", "Demand")]
    [InlineData("NONE", "None")]
    [InlineData("Halving(60, 0.5)", "Halving(00:01:00, 0.5)")]
    [InlineData("halving(00:01:00,1)", "Halving(00:01:00, 1)")]
    [InlineData("Halving( 0.5 , .25 )", "Halving(00:00:00.5000000, 0.25)")]
    [InlineData("Halving(49.00:00:00, 0.01)", "Halving(49.00:00:00, 0.01)")]
    [InlineData("Halving", null)]
    [InlineData("Halving(", null)]
    [InlineData("Halving()", null)]
    [InlineData("Halving(60)", null)]
    [InlineData("Halving(60, 0.5", null)]
    [InlineData("Halving(60, 0.5, 1)", null)]
    [InlineData("Halving(60 0.5)", null)]
    [InlineData("Halving(0, 0.5)", null)]
    [InlineData("Halving(infinite, 0.5)", null)]
    [InlineData("Halving(50.00:00:00, 0.5)", null)]
    [InlineData("Halving(60, 0)", null)]
    [InlineData("Halving(60, 1.1)", null)]
    [InlineData("Halving(60, -0.5)", null)]
    [InlineData("Halving(60, NaN)", null)]
    [InlineData("Halving(60, ∞)", null)]
    [InlineData("Halving(60, 0,5)", null)]
    [InlineData("Halving(60, 0.5) ", null)]
    [InlineData("Quartering", null)]
    [InlineData("", null)]
    public void Trim_policies(string text, string? expected)
    {
        Assert.Equal(expected is not null, SettingFormats.TrimPolicy(text, out TrimPolicy policy) is null);
        Assert.Equal(expected ?? "Demand", policy.ToString());
    }

    [Fact]
    public void What_a_policy_writes_is_read_again() => Assert.All(
        [TrimPolicy.Demand, TrimPolicy.None, TrimPolicy.Halving(TimeSpan.FromMilliseconds(1500), 1d / 3)],
        static policy =>
        {
            Assert.Null(SettingFormats.TrimPolicy(policy.ToString(), out TrimPolicy read));
            Assert.Equal(policy.ToString(), read.ToString());
        });

    [Theory]
    [InlineData("de-DE")]
    [InlineData("tr-TR")]
    [InlineData("ar-SA")]
    public void No_culture_changes_the_meaning(string culture)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = new CultureInfo(culture);
            Assert.Equal(3L << 29, Parse<long>(SettingFormats.Size, "1.5G"));
            Assert.Null(Parse<long>(SettingFormats.Size, "1,5G"));
            Assert.Equal(TimeSpan.FromSeconds(0.5), Parse<TimeSpan>(SettingFormats.Duration, "0.5"));
            Assert.Equal(TimeSpan.FromSeconds(1.5), Parse<TimeSpan>(SettingFormats.Duration, "00:00:01.5"));
            Assert.True(Parse<bool>(SettingFormats.Switch, "true"));
            Assert.Null(SettingFormats.TrimPolicy("HALVING(60, 0.5)", out TrimPolicy policy));
            Assert.Equal("Halving(00:01:00, 0.5)", policy.ToString());
            Assert.Equal(LeakTracking.Off, Parse<LeakTracking>(SettingFormats.OneOf, "OFF"));
            Assert.Equal(Timeout.InfiniteTimeSpan, Parse<TimeSpan>(SettingFormats.Duration, "INFINITE"));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    private static T? Parse<T>(SettingFormat<T> format, string text)
        where T : struct => format(text, out T value) is null ? value : null;
}
