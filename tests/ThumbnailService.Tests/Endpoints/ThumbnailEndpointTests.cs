using System.Net;
using Imaging.Codecs;
using Imaging.Memory;
using Imaging.Testing;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using PixelPool;
using ThumbnailService.Tests.Infrastructure;
using ThumbnailService.Thumbnails;

namespace ThumbnailService.Tests.Endpoints;

/// <summary>Requests that are served, and those that are refused, and that neither leaves anything behind.</summary>
public class ThumbnailEndpointTests
{
    private const int MiB = 1 << 20;

    [Theory]
    [InlineData(nameof(MemoryMode.PixelPool), false)]
    [InlineData(nameof(MemoryMode.PixelPool), true)]
    [InlineData(nameof(MemoryMode.Unbounded), false)]
    [InlineData(nameof(MemoryMode.Managed), false)]
    public async Task A_photo_becomes_a_thumbnail_whatever_the_memory(string mode, bool progressive)
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        await using RunningService service = await RunningService.StartAsync($"Thumbnails:Memory={mode}");
        using HttpResponseMessage response = await service.SendAsync(TestJpeg.Make(1500, 1000, progressive));

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal("image/jpeg", response.Content.Headers.ContentType?.MediaType);
        byte[] file = await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        using var memory = new ManagedImageMemory();
        using Image<Rgb24> thumbnail = ImageCodecs.Jpeg.Decode(file, memory);
        Assert.Equal((256, 171), (thumbnail.Width, thumbnail.Height));
        service.AssertNothingIsHeld();
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(255, 3)]
    [InlineData(5000, 2)]
    [InlineData(2, 5000)]
    [InlineData(2600, 1900)]
    public async Task What_a_photo_takes_is_never_more_than_was_reserved(int width, int height)
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        await using RunningService service = await RunningService.StartAsync();
        foreach (bool progressive in (bool[])[false, true])
        {
            // A rent over the reservation is refused, and would end as an internal error.
            using HttpResponseMessage response = await service.SendAsync(TestJpeg.Make(width, height, progressive));
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        }

        service.AssertNothingIsHeld();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(700)]
    [InlineData(1024)]
    [InlineData(4000)]
    public async Task What_a_thumbnail_takes_is_reserved_whatever_its_size(int side)
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        await using RunningService service = await RunningService.StartAsync($"Thumbnails:ThumbnailSide={side}", "PixelPool:MaxRentedBytes=256M");
        using HttpResponseMessage response = await service.SendAsync(TestJpeg.Make(2600, 1900));
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        await service.AssertItStopsWithoutComplaintAsync();
    }

    [Fact]
    public async Task A_photo_that_can_never_fit_is_refused_with_the_figures()
    {
        await AssertRefusedAsync(HttpStatusCode.RequestEntityTooLarge, "1500 × 1000 pixels", () => TestJpeg.Make(1500, 1000), "PixelPool:MaxRentedBytes=8M");
    }

    [Fact]
    public async Task A_file_over_the_limit_is_refused()
    {
        await AssertRefusedAsync(HttpStatusCode.RequestEntityTooLarge, "at most 1,000", () => TestJpeg.Make(500, 400), "Thumbnails:MaxFileBytes=1000");
    }

    [Theory]
    [InlineData(30)]
    [InlineData(5 * MiB)]
    public async Task Something_else_than_a_photo_is_refused_whatever_its_size(int bytes)
    {
        byte[] text = [.. Enumerable.Repeat((byte)'.', bytes)];
        await AssertRefusedAsync(HttpStatusCode.BadRequest, "not a JPEG file", () => text);
    }

    [Fact]
    public async Task A_connection_whose_photo_was_refused_brings_the_next_one()
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        await using RunningService service = await RunningService.StartAsync();
        await using RawConnection connection = await service.ConnectAsync();
        Assert.Equal(HttpStatusCode.BadRequest, await connection.SendAsync([.. "GIF89a and so on"u8]));
        Assert.Equal(HttpStatusCode.OK, await connection.SendAsync(TestJpeg.Make(50, 40)));
        await service.AssertItStopsWithoutComplaintAsync();
    }

    [Theory]
    [InlineData("text", false)]
    [InlineData("text", true)]
    [InlineData("header", false)]
    [InlineData("header", true)]
    [InlineData("picture", false)]
    [InlineData("picture", true)]
    public async Task A_client_that_stops_in_the_middle_leaves_nothing(string middleOf, bool waitsForTheAnswer)
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        byte[] photo = TestJpeg.Make(1500, 1000);
        byte[] sent = middleOf switch
        {
            "text" => [.. "GIF89a and so on"u8],
            "header" => photo[..100],
            _ => photo[..(photo.Length / 2)],
        };
        await using RunningService service = await RunningService.StartAsync();
        await using (RawConnection connection = await service.ConnectAsync())
        {
            await connection.SendSomeAsync(sent, photo.Length);
            if (waitsForTheAnswer)
            {
                connection.EndSending();
                await connection.WaitForTheEndAsync();
            }
        }

        await service.AssertItStopsWithoutComplaintAsync();
    }

    [Fact]
    public async Task An_empty_body_is_refused()
    {
        await AssertRefusedAsync(HttpStatusCode.BadRequest, "no body", () => []);
    }

    [Fact]
    public async Task A_file_that_ends_in_its_header_is_refused()
    {
        await AssertRefusedAsync(HttpStatusCode.BadRequest, "ends before", () => TestJpeg.Make(500, 400)[..100]);
    }

    [Fact]
    public async Task A_file_that_ends_in_its_picture_is_refused()
    {
        await AssertRefusedAsync(HttpStatusCode.BadRequest, "premature", () => TestJpeg.Make(1500, 1000)[..^1000]);
    }

    [Fact]
    public async Task A_header_longer_than_is_searched_is_refused()
    {
        // Comments of 64 KiB each.
        byte[] comment = [0xFF, 0xFE, 0xFF, 0xFF, .. new byte[0xFFFD]];
        await AssertRefusedAsync(
            HttpStatusCode.BadRequest,
            "within the first",
            () => [0xFF, 0xD8, .. Enumerable.Repeat(comment, 6).SelectMany(bytes => bytes), .. TestJpeg.Make(500, 400)[2..]]);
    }

    [Fact]
    public async Task Colours_of_printing_presses_are_not_supported()
    {
        await AssertRefusedAsync(HttpStatusCode.UnsupportedMediaType, "CMYK", () => TestJpeg.MakeForPrintingPresses(200, 100));
    }

    /// <summary>Where the system has none, or a budget has, that nobody asked before.</summary>
    [Theory]
    [InlineData(typeof(NoMemory), nameof(OutOfMemoryException))]
    [InlineData(typeof(NoBudget), "more memory than there is")]
    public async Task A_photo_without_memory_is_refused_with_the_reason(Type thumbnails, string reason)
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        await using RunningService service = await RunningService.StartAsync([], services => services.AddSingleton(typeof(IThumbnails), thumbnails));
        using HttpResponseMessage response = await service.SendAsync(TestJpeg.Make(50, 40));
        Assert.Equal(HttpStatusCode.ServiceUnavailable, response.StatusCode);
        Assert.Contains(reason, await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        await service.AssertItStopsWithoutComplaintAsync();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_body_in_chunks_is_refused(bool isPhoto)
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        await using RunningService service = await RunningService.StartAsync();
        using var request = new HttpRequestMessage(HttpMethod.Post, "thumbnail");
        request.Content = new ByteArrayContent(isPhoto ? TestJpeg.Make(50, 40) : new byte[5 * MiB]);
        request.Headers.TransferEncodingChunked = true;
        using HttpResponseMessage response = await service.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.LengthRequired, response.StatusCode);
        await service.AssertItStopsWithoutComplaintAsync();
    }

    private static async Task AssertRefusedAsync(HttpStatusCode status, string reason, Func<byte[]> file, params string[] settings)
    {
        if (await JpegLibrary.IsMissingAndTheServiceSaysSoAsync())
        {
            return;
        }

        await using RunningService service = await RunningService.StartAsync(settings);
        using HttpResponseMessage response = await service.SendAsync(file());
        Assert.Equal(status, response.StatusCode);
        Assert.Contains(reason, await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.OrdinalIgnoreCase);
        await service.AssertItStopsWithoutComplaintAsync();
    }

    private sealed class NoBudget : IThumbnails
    {
        public Task<byte[]> MakeAsync(HttpRequest request, CancellationToken cancellation) => throw new PixelBudgetExceededException(2, 1);
    }

    private sealed class NoMemory : IThumbnails
    {
        public Task<byte[]> MakeAsync(HttpRequest request, CancellationToken cancellation) => throw new OutOfMemoryException();
    }
}
