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

    private static readonly (string, string) s_allocator = ("pixelpool_allocator", Name);

    [Fact]
    public async Task Collector_gets_the_figures_of_the_pool()
    {
        await using OtlpCollector collector = await OtlpCollector.StartAsync();
        await using RunningService service = await StartAsync(
            $"--OTEL_EXPORTER_OTLP_ENDPOINT={collector.Address}", "--OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", "--OTEL_SERVICE_NAME=photos");
        using PixelBuffer<byte> image = service.Allocator.Rent<byte>(1024, 8192);

        // False, whatever the collector gets: the exporter for Prometheus is asked, and has nowhere to flush to.
        service.Services.GetRequiredService<MeterProvider>().ForceFlush();

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
        ScrapedMetrics metrics = await GetMetricsAsync(service);
        Assert.Equal(8 << 20, metrics.Value("pixelpool_rented_bytes", s_allocator));
        Assert.Equal(32 << 20, metrics.Value("pixelpool_budget_bytes", s_allocator));
        Assert.Equal(("gauge", "counter"), (metrics.Types["pixelpool_rented_bytes"], metrics.Types["pixelpool_allocated_bytes_total"]));
        Assert.Equal(1, metrics.Value("pixelpool_rents_total", s_allocator, ("pixelpool_source", "miss")));

        // Every question is answered anew.
        image.Dispose();
        Assert.Equal(0, (await GetMetricsAsync(service)).Value("pixelpool_rented_bytes", s_allocator));
    }

    [Fact]
    public async Task Prometheus_reads_how_long_requests_waited()
    {
        await using RunningService service = await StartAsync();
        PixelBuffer<byte> all = service.Allocator.Rent<byte>(1 << 20, 32);
        Task<PixelBuffer<byte>> waiting = service.Allocator.RentAsync<byte>(1 << 20, 4, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        all.Dispose();
        (await waiting).Dispose();
        ScrapedMetrics metrics = await GetMetricsAsync(service);
        (string, string) granted = ("pixelpool_outcome", "granted");
        Assert.Equal(1, metrics.Value("pixelpool_wait_time_seconds_count", s_allocator, granted));
        Assert.Equal(1, metrics.Value("pixelpool_wait_time_seconds_bucket", s_allocator, granted, ("le", "60")));
        Assert.Equal(0, metrics.Value("pixelpool_rented_bytes", s_allocator));
    }

    private static Task<RunningService> StartAsync(params string[] arguments) => RunningService.StartAsync(
        ["--PixelPool:MaxRentedBytes=32M", .. arguments],
        static services => services.PostConfigure<PixelAllocatorOptions>(static options => options.Name = Name));

    private static async Task<ScrapedMetrics> GetMetricsAsync(RunningService service) =>
        new(await service.Client.GetStringAsync("metrics", TestContext.Current.CancellationToken));
}
