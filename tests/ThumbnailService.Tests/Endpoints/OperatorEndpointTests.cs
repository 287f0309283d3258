using ThumbnailService.Tests.Infrastructure;

namespace ThumbnailService.Tests.Endpoints;

/// <summary>What operators of the service look at besides <c>/memory</c>.</summary>
public class OperatorEndpointTests
{
    [Fact]
    public async Task The_page_shows_the_allocator_of_the_service()
    {
        await using RunningService service = await RunningService.StartAsync("PixelPool:MaxRentedBytes=32M");
        string page = await service.Client.GetStringAsync("pixelpool", TestContext.Current.CancellationToken);
        Assert.Contains("<h2>thumbnails</h2>", page, StringComparison.Ordinal);
        Assert.Contains("0 B of 32 MiB", page, StringComparison.Ordinal);
        await service.AssertItStopsWithoutComplaintAsync();
    }

    [Fact]
    public async Task The_service_says_that_it_is_healthy()
    {
        await using RunningService service = await RunningService.StartAsync();
        Assert.Equal("Healthy", await service.Client.GetStringAsync("health", TestContext.Current.CancellationToken));
    }
}
