using System.Net;
using System.Runtime.InteropServices;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PixelPool;

namespace ThumbnailService.Tests.Documentation;

/// <summary>The snippet of <c>docs/recipes.md</c> about ASP.NET Core, in a web service of its own. Tests of the library compare it with the page.</summary>
public class StreamRecipeTests
{
    [Fact]
    public async Task From_the_body_to_the_response()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        await using WebApplication app = Build(builder);
        await app.StartAsync(token);
        using var client = new HttpClient { BaseAddress = new Uri(app.Urls.First()) };

        uint[] pixels = [.. Enumerable.Range(0, 700 * 500).Select(static i => (uint)i)];
        using var body = new ByteArrayContent(MemoryMarshal.AsBytes(pixels.AsSpan()).ToArray());
        using HttpResponseMessage mirrored = await client.PostAsync("mirror?width=700&height=500", body, token);
        uint[] expected = [.. pixels.Chunk(700).SelectMany(static row => row.Reverse())];
        Assert.Equal(MemoryMarshal.AsBytes(expected.AsSpan()).ToArray(), await mirrored.Content.ReadAsByteArrayAsync(token));

        using HttpResponseMessage senseless = await client.PostAsync("mirror?width=0&height=500", null, token);
        Assert.Equal(HttpStatusCode.BadRequest, senseless.StatusCode);
        using HttpResponseMessage tooLarge = await client.PostAsync("mirror?width=20000&height=20000", null, token);
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, tooLarge.StatusCode);

        PixelPoolStatistics statistics = app.Services.GetRequiredService<PixelAllocator>().GetStatistics();
        Assert.Equal((0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes));
    }

    private static WebApplication Build(WebApplicationBuilder builder)
    {
        #region docs/recipes.md
        builder.Services.AddPixelPool(options => options.MaxRentedBytes = 256L << 20);
        WebApplication app = builder.Build();

        app.MapPost("/mirror", async (int width, int height, HttpContext context, PixelAllocator allocator) =>
        {
            CancellationToken aborted = context.RequestAborted;
            if (width is < 1 or > 20_000 || height is < 1 or > 20_000)
            {
                return Results.BadRequest();
            }

            try
            {
                using RentScope request = await allocator.ReserveScopeAsync(allocator.GetHeldBytes<uint>(width, height), aborted);
                request.Tag = context.GetEndpoint()?.DisplayName;
                PixelBuffer<uint> image = request.Rent<uint>(width, height);
                await image.ReadFromAsync(context.Request.Body, aborted);

                image.ProcessPixelRowsInParallel(
                    static band =>
                    {
                        foreach (Span<uint> row in band)
                        {
                            row.Reverse();
                        }
                    },
                    aborted);

                context.Response.ContentLength = 4L * width * height;
                await image.WriteToAsync(context.Response.Body, aborted);
                return Results.Empty;
            }
            catch (PixelBudgetExceededException e)
            {
                bool neverFits = e.RequestedBytes > e.LimitBytes;
                return Results.StatusCode(neverFits ? StatusCodes.Status413PayloadTooLarge : StatusCodes.Status503ServiceUnavailable);
            }
            catch (EndOfStreamException)
            {
                return Results.BadRequest();
            }
        });
        #endregion

        return app;
    }
}
