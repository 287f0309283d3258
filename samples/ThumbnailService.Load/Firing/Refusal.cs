using System.Text.Json;

namespace ThumbnailService.Load.Firing;

/// <summary>Why a service did not serve: the status, and the title that it gives the problem (RFC 9457) if it explains itself.</summary>
internal static class Refusal
{
    public static string Of(HttpResponseMessage response, byte[] body) => $"{(int)response.StatusCode} {Title(response, body) ?? response.ReasonPhrase}";

    private static string? Title(HttpResponseMessage response, byte[] body)
    {
        if (response.Content.Headers.ContentType?.MediaType != "application/problem+json")
        {
            return null;
        }

        using var problem = JsonDocument.Parse(body);
        return problem.RootElement.TryGetProperty("title", out JsonElement title) ? title.GetString() : null;
    }
}
