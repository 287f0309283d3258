using System.Globalization;
using System.Text;
using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace ThumbnailService.Endpoints;

/// <summary>Keeps the last values of all instruments as text: <c>name{tag="value"} 42</c>.</summary>
internal sealed class MetricsTextExporter : BaseExporter<Metric>
{
    public string Text { get; private set; } = string.Empty;

    public override ExportResult Export(in Batch<Metric> batch)
    {
        var text = new StringBuilder();
        foreach (Metric metric in batch)
        {
            text.Append(CultureInfo.InvariantCulture, $"# {metric.Name}: {metric.Description}\n");
            foreach (ref readonly MetricPoint point in metric.GetMetricPoints())
            {
                text.Append(CultureInfo.InvariantCulture, $"{metric.Name}{Tags(point)} {Value(metric.MetricType, point)} {metric.Unit}\n");
            }
        }

        Text = text.ToString();
        return ExportResult.Success;
    }

    private static string Tags(in MetricPoint point)
    {
        var tags = new List<string>();
        foreach (KeyValuePair<string, object?> tag in point.Tags)
        {
            tags.Add($"{tag.Key}=\"{tag.Value}\"");
        }

        return tags.Count == 0 ? string.Empty : $"{{{string.Join(',', tags)}}}";
    }

    private static double Value(MetricType type, in MetricPoint point) => type switch
    {
        MetricType.LongSum or MetricType.LongSumNonMonotonic => point.GetSumLong(),
        MetricType.DoubleSum or MetricType.DoubleSumNonMonotonic => point.GetSumDouble(),
        MetricType.LongGauge => point.GetGaugeLastValueLong(),
        MetricType.DoubleGauge => point.GetGaugeLastValueDouble(),
        _ => point.GetHistogramSum(),
    };
}
