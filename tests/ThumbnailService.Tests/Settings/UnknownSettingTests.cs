using ThumbnailService.Tests.Infrastructure;

namespace ThumbnailService.Tests.Settings;

/// <summary>A service with a typing error in its settings does not start.</summary>
public class UnknownSettingTests
{
    [Theory]
    [InlineData("Thumbnails:MaxFilBytes")]
    [InlineData("PixelPool:MaxRentBytes")]
    public async Task Unknown_settings_are_refused(string setting)
    {
        Exception? error = await Record.ExceptionAsync(() => RunningService.StartAsync($"{setting}=1000"));
        Assert.NotNull(error);
        Assert.Contains(setting.Split(':')[1], error.Message, StringComparison.Ordinal);
    }
}
