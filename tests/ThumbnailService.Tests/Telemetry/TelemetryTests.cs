using Microsoft.Extensions.DependencyInjection;
using OpenTelemetry.Metrics;
using PixelPool;
using ThumbnailService.Tests.Infrastructure;

namespace ThumbnailService.Tests.Telemetry;

/// <summary>
/// What an operator sees of the pool. OpenTelemetry finds meters by name in the whole process, so no other service may run meanwhile.
/// </summary>
[Collection(nameof(TelemetryTests))]
[CollectionDefinition(nameof(TelemetryTests), DisableParallelization = true)]
public class TelemetryTests
{
    private const string Name = "telemetry \"test\"";

    [Fact]
    public async Task Collector_gets_the_figures_of_the_pool()
    {
        await using OtlpCollector collector = await OtlpCollector.StartAsync();
        await using RunningService service = await StartAsync(
            $"--OTEL_EXPORTER_OTLP_ENDPOINT={collector.Address}", "--OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", "--OTEL_SERVICE_NAME=photos");
        using PixelBuffer<byte> image = service.Allocator.Rent<byte>(1024, 8192);
        Assert.True(service.Services.GetRequiredService<MeterProvider>().ForceFlush());

        OtlpMetrics metrics = await collector.NextAsync();
        Assert.Equal("photos", metrics.ServiceName);
        Assert.Equal(8 << 20, metrics.Value("pixelpool.rented", Name));
        Assert.Equal(service.Statistics.AllocatedBytes, metrics.Value("pixelpool.allocated", Name));
        Assert.Equal(32 << 20, metrics.Value("pixelpool.budget", Name));
    }

    [Fact]
    public async Task Prometheus_reads_the_figures_of_the_pool()
    {
        await using RunningService service = await StartAsync();
        using PixelBuffer<byte> image = service.Allocator.Rent<byte>(1024, 8192);
        string[] lines = await GetMetricsAsync(service);
        const string Label = """{pixelpool_allocator="telemetry \"test\""}""";
        Assert.Contains($"pixelpool_rented_bytes{Label} {8 << 20}", lines);
        Assert.Contains($"pixelpool_budget_bytes{Label} {32 << 20}", lines);
        Assert.Contains("# TYPE pixelpool_rented_bytes gauge", lines);
        Assert.Contains("# TYPE pixelpool_allocated_bytes_total counter", lines);
        Assert.Contains("""pixelpool_rents_total{pixelpool_allocator="telemetry \"test\"",pixelpool_source="miss"} 1""", lines);

        // Every question is answered anew.
        image.Dispose();
        Assert.Contains($"pixelpool_rented_bytes{Label} 0", await GetMetricsAsync(service));
    }

    private static Task<RunningService> StartAsync(params string[] arguments) => RunningService.StartAsync(
        ["--PixelPool:MaxRentedBytes=32M", .. arguments],
        static services => services.PostConfigure<PixelAllocatorOptions>(static options => options.Name = Name));

    private static async Task<string[]> GetMetricsAsync(RunningService service) =>
        (await service.Client.GetStringAsync("metrics", TestContext.Current.CancellationToken)).Split('\n');
}
