using System.Net;
using Imaging.Testing;
using PixelPool;
using ThumbnailService.Tests.Infrastructure;

namespace ThumbnailService.Tests.Endpoints;

/// <summary>Requests that wait for each other's memory.</summary>
public class BudgetTests
{
    private const int MiB = 1 << 20;

    [Fact]
    public async Task Many_requests_are_served_with_memory_for_one()
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        // 1500 × 1000 pixels are two blocks of 4 MiB, and resizing takes up to another.
        await using RunningService service = await RunningService.StartAsync("PixelPool:MaxRentedBytes=14M");
        byte[][] files = [TestJpeg.Make(1500, 1000), TestJpeg.Make(1500, 1000, progressive: true), TestJpeg.Make(300, 200)];
        using (RentScope everything = service.Allocator.ReserveScope(14 * MiB))
        {
            // Nobody is served before somebody waits, so that waiting is what this tests.
            Task<HttpResponseMessage>[] requests = [.. Enumerable.Range(0, 16).Select(i => service.SendAsync(files[i % files.Length]))];
            service.WaitUntil(statistics => statistics.WaitingRents == 16);
            everything.Dispose();

            foreach (HttpResponseMessage response in await Task.WhenAll(requests))
            {
                Assert.Equal(HttpStatusCode.OK, response.StatusCode);
                response.Dispose();
            }
        }

        Assert.InRange(service.Statistics.PeakHeldBytes, 1, 14 * MiB);
        Assert.True(service.Statistics.Waits >= 16, $"{service.Statistics.Waits} waits");
        service.AssertNothingIsHeld();
    }

    [Fact]
    public async Task A_client_that_goes_away_while_it_waits_leaves_nothing()
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        await using RunningService service = await RunningService.StartAsync("PixelPool:MaxRentedBytes=32M");
        byte[] file = TestJpeg.Make(1500, 1000);
        using (RentScope everything = service.Allocator.ReserveScope(32 * MiB))
        {
            using var goAway = new CancellationTokenSource();
            Task<HttpResponseMessage> request = service.SendAsync(file, goAway.Token);
            service.WaitUntil(statistics => statistics.WaitingRents == 1);

            await goAway.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => request);
            service.WaitUntil(statistics => statistics.WaitingRents == 0);
        }

        service.AssertNothingIsHeld();
        using HttpResponseMessage response = await service.SendAsync(file);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
    }

    [Fact]
    public async Task A_request_that_waited_in_vain_may_come_again()
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        await using RunningService service = await RunningService.StartAsync("PixelPool:MaxRentedBytes=32M", "PixelPool:AsyncRentTimeout=0.01");
        byte[] file = TestJpeg.Make(1500, 1000);
        using (RentScope everything = service.Allocator.ReserveScope(32 * MiB))
        {
            using HttpResponseMessage refused = await service.SendAsync(file);
            Assert.Equal(HttpStatusCode.ServiceUnavailable, refused.StatusCode);
            Assert.Contains("try again later", await refused.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        }

        service.AssertNothingIsHeld();
        using HttpResponseMessage response = await service.SendAsync(file);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
    }

    [Fact]
    public async Task Idle_blocks_make_room_for_what_the_decoder_takes_elsewhere()
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        await using RunningService service = await RunningService.StartAsync("PixelPool:MaxRentedBytes=64M");
        service.Allocator.Allocate<byte>(64 * MiB).Dispose();
        Assert.Equal(64 * MiB, service.Statistics.IdleBytes);

        byte[] file = TestJpeg.Make(2600, 1900, progressive: true);
        (await service.SendAsync(file)).Dispose();
        Assert.InRange(service.Statistics.IdleBytes, 1, (64 * MiB) - (2600 * 1900 * 3));

        // What a baseline file takes there is less than a block.
        service.Allocator.Allocate<byte>(64 * MiB).Dispose();
        (await service.SendAsync(TestJpeg.Make(2600, 1900))).Dispose();
        Assert.Equal(60 * MiB, service.Statistics.IdleBytes);
        Assert.Equal(0, service.Statistics.ExternalBytes);
        service.AssertNothingIsHeld();
    }
}
