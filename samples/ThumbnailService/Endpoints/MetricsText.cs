using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace ThumbnailService.Endpoints;

/// <summary>
/// <c>GET /metrics</c>: what OpenTelemetry collects of the meter "PixelPool", a line for each value. A service that has a collector adds
/// <c>AddOtlpExporter</c> here instead.
/// </summary>
internal sealed class MetricsText : IDisposable
{
    private readonly MetricsTextExporter _exporter = new();
    private readonly BaseExportingMetricReader _reader;
    private readonly MeterProvider _provider;

    public MetricsText()
    {
        _reader = new BaseExportingMetricReader(_exporter);
        _provider = Sdk.CreateMeterProviderBuilder().AddMeter("PixelPool").AddReader(_reader).Build();
    }

    public string Collect()
    {
        _reader.Collect();
        return _exporter.Text;
    }

    public void Dispose() => _provider.Dispose();
}
