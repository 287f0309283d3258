using System.Net;
using Imaging.Testing;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using ThumbnailService.Tests.Infrastructure;

namespace ThumbnailService.Tests.Endpoints;

/// <summary>Memory that is reserved for a photo waits for the rest of it, but not for long.</summary>
public class SlowSenderTests
{
    /// <summary>The server looks once a second.</summary>
    private static readonly TimeSpan s_shortGrace = TimeSpan.FromSeconds(1.1);

    [Fact]
    public async Task A_photo_that_comes_too_slowly_keeps_no_memory()
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        MinDataRate? rate = null;
        await using RunningService service = await RunningService.StartAsync(
            ["--Thumbnails:MinBytesPerSecond=2000000"],
            services => services.Configure<KestrelServerOptions>(server =>
            {
                rate = server.Limits.MinRequestBodyDataRate;
                server.Limits.MinRequestBodyDataRate = new MinDataRate(rate!.BytesPerSecond, s_shortGrace);
            }));
        Assert.Equal((2_000_000, TimeSpan.FromSeconds(30)), (rate!.BytesPerSecond, rate.GracePeriod));

        byte[] photo = TestJpeg.Make(1500, 1000);
        await using (RawConnection connection = await service.ConnectAsync())
        {
            await connection.SendSomeAsync(photo[..(photo.Length / 2)], photo.Length);
            Assert.Equal(HttpStatusCode.RequestTimeout, await connection.ReadAnswerAsync());
            Assert.NotEqual(0, service.Statistics.PeakHeldBytes);
            service.AssertNothingIsHeld();
        }

        await service.AssertItStopsWithoutComplaintAsync();
    }
}
