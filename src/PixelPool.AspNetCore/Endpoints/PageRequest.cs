using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace PixelPool.AspNetCore.Endpoints;

/// <summary>What is asked for.</summary>
/// <param name="WantsJson">Whether a tool asks.</param>
/// <param name="RefreshSeconds">After how many seconds the page loads itself again; 0: never.</param>
internal readonly record struct PageRequest(bool WantsJson, int RefreshSeconds)
{
    private const int DefaultRefreshSeconds = 5;
    private const int MaxRefreshSeconds = 3600;

    public static PageRequest Of(HttpRequest request) => new(WantsJsonOf(request), RefreshSecondsOf(request.Query["refresh"]));

    private static bool WantsJsonOf(HttpRequest request) => request.Query["format"].ToString() switch
    {
        "json" => true,
        "html" => false,
        _ => Quality(request, "application/json") > Quality(request, "text/html"),
    };

    // Who accepts everything gets the page.
    private static double Quality(HttpRequest request, string type) => request.GetTypedHeaders().Accept
        .Where(accepted => accepted.MediaType.Equals(type, StringComparison.OrdinalIgnoreCase))
        .Select(static accepted => accepted.Quality ?? 1)
        .DefaultIfEmpty(0)
        .Max();

    private static int RefreshSecondsOf(string? text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int seconds) && seconds <= MaxRefreshSeconds ? seconds : DefaultRefreshSeconds;
}
