using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PixelPool.AspNetCore.Tests.Infrastructure;

namespace PixelPool.AspNetCore.Tests.Page;

/// <summary>The page in a real browser.</summary>
public sealed class BrowserTests
{
    [Theory]
    [InlineData(false, 0xf5, 0xf7, 0xf9)]
    [InlineData(true, 0x0c, 0x10, 0x15)]
    public async Task It_has_the_colours_of_the_screen_and_the_browser_refuses_nothing(bool isDark, byte red, byte green, byte blue)
    {
        Assert.SkipWhen(Browser.Path is null, "There is no Chromium here (Debian: chromium).");
        CancellationToken token = TestContext.Current.CancellationToken;
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        builder.Services.AddPixelPool("<b>thumbnails</b>");
        await using WebApplication app = builder.Build();
        app.MapPixelPool().AllowAnonymous();
        await app.StartAsync(token);

        using var browser = new Browser();
        (byte[] picture, string messages) = await browser.ShootAsync($"{app.Urls.First()}/pixelpool?refresh=0", isDark);
        Assert.Equal((red, green, blue), new PngPicture(picture).Corner);
        Assert.DoesNotContain("Content Security Policy", messages, StringComparison.Ordinal);
        Assert.DoesNotContain("CONSOLE", messages, StringComparison.Ordinal);
    }
}
