using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using PixelPool;

namespace ThumbnailService.Endpoints;

/// <summary><c>GET /memory</c>: what is in this process's memory, and who holds it, for a person with a question. Not for the public: it tells about the code.</summary>
internal static class MemoryEndpoint
{
    private static readonly JsonSerializerOptions s_readable = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        Converters = { new JsonStringEnumConverter() },

        // A person reads it: `<` of a generic method is `<`.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static IResult Handle(PixelAllocator allocator, ServiceSettings settings)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        var report = new MemoryReport(
            settings.Memory,
            MemoryPressureSource.System.GetAvailableBytes(),
            Environment.WorkingSet,
            GC.GetTotalMemory(forceFullCollection: false),
            GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
            statistics.ToString(),
            statistics,
            [.. allocator.GetOutstandingRents().Select(RentReport.Of)]);
        return Results.Json(report, s_readable);
    }
}
