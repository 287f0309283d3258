using OpenTelemetry.Metrics;

namespace ThumbnailService.Telemetry;

/// <summary>The metrics as they are now, in the text format of Prometheus.</summary>
internal sealed class PrometheusText
{
    public const string ContentType = "text/plain; version=0.0.4; charset=utf-8";

    private readonly PrometheusExporter _exporter = new();

    public PrometheusText() => Reader = new BaseExportingMetricReader(_exporter);

    /// <summary>Collects when somebody asks, and only then. The provider that it is added to disposes it.</summary>
    public BaseExportingMetricReader Reader { get; }

    public string Collect()
    {
        Reader.Collect();
        return _exporter.Text;
    }
}
