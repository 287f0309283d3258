using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;

namespace ThumbnailService.Telemetry;

/// <summary>
/// The meter "PixelPool", and "System.Runtime", which knows the resident memory of the process, through OpenTelemetry: pushed to a collector if there is one
/// (<c>OTEL_EXPORTER_OTLP_ENDPOINT</c> and the other settings of OpenTelemetry, from the environment or any other configuration), and read by Prometheus or a person from
/// <c>GET /metrics</c>.
/// </summary>
internal static class ServiceTelemetry
{
    private const string OtlpEndpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private const string ServiceName = "OTEL_SERVICE_NAME";

    // A service with the package OpenTelemetry.Extensions.Hosting says builder.Services.AddOpenTelemetry().WithMetrics(…) instead.
    public static void AddTelemetry(this WebApplicationBuilder builder)
    {
        builder.Services.AddSingleton(_ => Build(builder.Configuration));
    }

    public static void MapTelemetry(this WebApplication app)
    {
        // Measured and pushed from the start on, not from the first request.
        app.Services.GetRequiredService<MeterProvider>();
        app.Services.GetRequiredService<PixelPool.PixelAllocator>();
        app.MapPrometheusScrapingEndpoint();
    }

    private static MeterProvider Build(IConfiguration configuration)
    {
        MeterProviderBuilder metrics = Sdk.CreateMeterProviderBuilder()
            .ConfigureServices(services => services.AddSingleton(configuration))
            .ConfigureResource(resource => resource.AddService(configuration[ServiceName] ?? "thumbnail-service"))
            .AddMeter("PixelPool", "System.Runtime")

            // Every question is answered anew: it costs some microseconds.
            .AddPrometheusExporter(static options => options.ScrapeResponseCacheDurationMilliseconds = 0);
        if (!string.IsNullOrWhiteSpace(configuration[OtlpEndpoint]))
        {
            metrics.AddOtlpExporter();
        }

        return metrics.Build();
    }
}
