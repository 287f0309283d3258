using System.Globalization;
using System.Text;
using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace ThumbnailService.Telemetry;

/// <summary>
/// Writes counters and gauges in the text format of Prometheus, with the names that OpenTelemetry's specification gives them there:
/// <c>pixelpool.allocated</c> in bytes is <c>pixelpool_allocated_bytes_total</c>. The meter "PixelPool" has nothing else.
/// </summary>
internal sealed class PrometheusExporter : BaseExporter<Metric>
{
    /// <summary>What was collected last.</summary>
    public string Text { get; private set; } = string.Empty;

    public override ExportResult Export(in Batch<Metric> batch)
    {
        var text = new StringBuilder();
        foreach (Metric metric in batch)
        {
            string name = Name(metric);
            text.Append(CultureInfo.InvariantCulture, $"# HELP {name} {metric.Description}\n# TYPE {name} {(IsCounter(metric) ? "counter" : "gauge")}\n");
            foreach (ref readonly MetricPoint point in metric.GetMetricPoints())
            {
                text.Append(CultureInfo.InvariantCulture, $"{name}{Labels(point)} {Value(metric, point)}\n");
            }
        }

        Text = text.ToString();
        return ExportResult.Success;
    }

    private static bool IsCounter(Metric metric) => metric.MetricType is MetricType.LongSum or MetricType.DoubleSum;

    // Units that are only words, such as {rent}, are not written.
    private static string Name(Metric metric)
    {
        string unit = metric.Unit switch
        {
            "By" => "_bytes",
            "s" => "_seconds",
            _ => string.Empty,
        };
        return Written(metric.Name) + unit + (IsCounter(metric) ? "_total" : string.Empty);
    }

    private static string Labels(in MetricPoint point)
    {
        var labels = new List<string>();
        foreach (KeyValuePair<string, object?> tag in point.Tags)
        {
            string value = $"{tag.Value}".Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);
            labels.Add($"{Written(tag.Key)}=\"{value}\"");
        }

        return labels.Count == 0 ? string.Empty : $"{{{string.Join(',', labels)}}}";
    }

    private static string Written(string name) => name.Replace('.', '_');

    private static double Value(Metric metric, in MetricPoint point) => metric.MetricType switch
    {
        MetricType.LongSum or MetricType.LongSumNonMonotonic => point.GetSumLong(),
        MetricType.DoubleSum or MetricType.DoubleSumNonMonotonic => point.GetSumDouble(),
        MetricType.LongGauge => point.GetGaugeLastValueLong(),
        MetricType.DoubleGauge => point.GetGaugeLastValueDouble(),
        MetricType other => throw new NotSupportedException($"{metric.Name} is a {other}."),
    };
}
