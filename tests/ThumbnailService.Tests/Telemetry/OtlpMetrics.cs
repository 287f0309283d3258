namespace ThumbnailService.Tests.Telemetry;

/// <summary>One push of metrics; the numbers are those of the fields in <c>opentelemetry/proto/metrics/v1/metrics.proto</c>.</summary>
internal sealed class OtlpMetrics
{
    private readonly Dictionary<(string Metric, string Allocator), double> _values = [];

    public string? ServiceName { get; private init; }

    /// <summary>The value of a metric without further attributes than the allocator's name.</summary>
    public double Value(string metric, string allocator) => _values[(metric, allocator)];

    public static OtlpMetrics Read(byte[] request)
    {
        ProtobufMessage resourceMetrics = new ProtobufMessage(request).Messages(1).Single();
        var metrics = new OtlpMetrics
        {
            ServiceName = Attributes(resourceMetrics.Messages(1).Single(), 1).GetValueOrDefault("service.name"),
        };
        foreach (ProtobufMessage metric in resourceMetrics.Messages(2).SelectMany(static scope => scope.Messages(2)))
        {
            string name = metric.Text(1);

            // A gauge (5) or a sum (7); its points have attributes (7) and a double (4) or an integer (6).
            foreach (ProtobufMessage point in metric.Messages(5).Concat(metric.Messages(7)).SelectMany(static data => data.Messages(1)))
            {
                // What the runtime says of the process has no allocator.
                string allocator = Attributes(point, 7).GetValueOrDefault("pixelpool.allocator", string.Empty);
                metrics._values[(name, allocator)] = point.Fixed64(4) is { } bits ? BitConverter.UInt64BitsToDouble(bits) : (long)point.Fixed64(6)!.Value;
            }
        }

        return metrics;
    }

    private static Dictionary<string, string> Attributes(ProtobufMessage owner, int field) =>
        owner.Messages(field).ToDictionary(static attribute => attribute.Text(1), static attribute => attribute.Messages(2).Single().Text(1));
}
