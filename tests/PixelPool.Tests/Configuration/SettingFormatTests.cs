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
    [InlineData("9223372036854775808", long.MaxValue)]
    [InlineData("99999999999G", long.MaxValue)]
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
    [InlineData("300MiB", null)]
    [InlineData("1T", null)]
    [InlineData("٣M", null)]
    [InlineData("99999999999999999999999999999999999999", null)]
    public void Sizes(string text, long? expected) => Assert.Equal(expected, SettingFormats.Size.Parse(text));

    [Theory]
    [InlineData("0", false)]
    [InlineData("1", true)]
    [InlineData("true", true)]
    [InlineData("False", false)]
    [InlineData("TRUE", true)]
    [InlineData("2", null)]
    [InlineData("yes", null)]
    [InlineData("", null)]
    public void Switches(string text, bool? expected) => Assert.Equal(expected, SettingFormats.Switch.Parse(text));

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
    [InlineData("-5", -432000d)]
    [InlineData("0,25", null)]
    [InlineData("5s", null)]
    [InlineData("", null)]
    public void Durations(string text, double? seconds) =>
        Assert.Equal(seconds is { } value ? TimeSpan.FromSeconds(value) : null, SettingFormats.Duration.Parse(text));

    [Fact]
    public void A_duration_that_no_clock_has_is_the_longest() => Assert.Equal(TimeSpan.MaxValue, SettingFormats.Duration.Parse("99999999999999999999"));

    [Theory]
    [InlineData("off", LeakTracking.Off)]
    [InlineData("Sampled", LeakTracking.Sampled)]
    [InlineData("FULL", LeakTracking.Full)]
    [InlineData("2", null)]
    [InlineData("Off,Full", null)]
    public void Leak_tracking(string text, LeakTracking? expected) => Assert.Equal(expected, SettingFormats.LeakTracking.Parse(text));

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
            Assert.Equal(3L << 29, SettingFormats.Size.Parse("1.5G"));
            Assert.Null(SettingFormats.Size.Parse("1,5G"));
            Assert.Equal(TimeSpan.FromSeconds(0.5), SettingFormats.Duration.Parse("0.5"));
            Assert.Equal(TimeSpan.FromSeconds(1.5), SettingFormats.Duration.Parse("00:00:01.5"));
            Assert.True(SettingFormats.Switch.Parse("true"));
            Assert.Equal(Timeout.InfiniteTimeSpan, SettingFormats.Duration.Parse("INFINITE"));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }
}
