using System.Net;
using Imaging.Codecs;

namespace ThumbnailService.Tests.Infrastructure;

/// <summary>What tests of the service hold true on a computer without libjpeg-turbo.</summary>
internal static class JpegLibrary
{
    /// <summary>Where the library is missing, checks that the service says so instead of failing somehow.</summary>
    public static async Task<bool> IsMissingAndTheServiceSaysSoAsync()
    {
        if (ImageCodecs.Jpeg.IsAvailable)
        {
            return false;
        }

        await using RunningService service = await RunningService.StartAsync();
        using HttpResponseMessage response = await service.SendAsync([0xFF, 0xD8, 0xFF]);
        Assert.Equal(HttpStatusCode.NotImplemented, response.StatusCode);
        Assert.Contains("libjpeg-turbo", await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        return true;
    }
}
