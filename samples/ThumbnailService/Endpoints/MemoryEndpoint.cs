using PixelPool;

namespace ThumbnailService.Endpoints;

/// <summary><c>GET /memory</c>: what is in this process's memory, for a person with a question.</summary>
internal static class MemoryEndpoint
{
    public static MemoryReport Handle(PixelAllocator allocator, ServiceSettings settings)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        return new MemoryReport(
            settings.Memory,
            MemoryPressureSource.System.GetAvailableBytes(),
            Environment.WorkingSet,
            GC.GetTotalMemory(forceFullCollection: false),
            statistics.ToString(),
            statistics,
            []);
    }
}
