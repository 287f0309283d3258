using System.ComponentModel.DataAnnotations;
using ThumbnailService.Tests.Infrastructure;

namespace ThumbnailService.Tests.Settings;

/// <summary>A service with a typing error in its settings does not start.</summary>
public class InvalidSettingTests
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
    [Theory]
    [InlineData("Thumbnails:ThumbnailSide=0")]
    [InlineData("Thumbnails:ThumbnailSide=70000")]
    [InlineData("Thumbnails:MaxFileBytes=-1")]
    [InlineData("Thumbnails:MaxHeaderBytes=0")]
    [InlineData("Thumbnails:MaxHeaderBytes=32767")]
    [InlineData("Thumbnails:MinBytesPerSecond=0")]
    [InlineData("Thumbnails:MaxConnections=0")]
    [InlineData("Thumbnails:OperatorPort=0")]
    public async Task Values_that_cannot_be_are_refused(string setting)
    {
        Exception? error = await Record.ExceptionAsync(() => RunningService.StartAsync(setting));
        Assert.Contains(setting.Split(':', '=')[1], Assert.IsType<ValidationException>(error).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_smallest_values_that_are_accepted_serve()
    {
        await using RunningService service = await RunningService.StartAsync("Thumbnails:MaxHeaderBytes=32768", "Thumbnails:MaxConnections=1");
        Assert.Equal("Healthy", await service.Client.GetStringAsync("health", TestContext.Current.CancellationToken));
    }
}
