using System.Globalization;
using System.Text.RegularExpressions;

namespace ThumbnailService.Tests.Telemetry;

/// <summary>What Prometheus reads from an application, in its text format.</summary>
internal sealed partial class ScrapedMetrics
{
    private readonly List<(string Metric, Dictionary<string, string> Labels, double Value)> _samples = [];

    public ScrapedMetrics(string text)
    {
        Types = TypeLine().Matches(text).ToDictionary(static match => match.Groups[1].Value, static match => match.Groups[2].Value);
        foreach (Match match in SampleLine().Matches(text))
        {
            Dictionary<string, string> labels = Label().Matches(match.Groups[2].Value)
                .ToDictionary(static label => label.Groups[1].Value, static label => Regex.Unescape(label.Groups[2].Value));
            _samples.Add((match.Groups[1].Value, labels, double.Parse(match.Groups[3].Value, CultureInfo.InvariantCulture)));
        }
    }

    /// <summary>The kind of each metric: <c>counter</c>, <c>gauge</c> or <c>histogram</c>.</summary>
    public IReadOnlyDictionary<string, string> Types { get; }

    /// <summary>The value of the only sample with these labels.</summary>
    public double Value(string metric, params (string Label, string Value)[] labels) =>
        _samples.Single(sample => sample.Metric == metric && labels.All(label => sample.Labels.Contains(new(label.Label, label.Value)))).Value;

    public bool Has(string metric) => _samples.Exists(sample => sample.Metric == metric);

    /// <summary>Whether a sample has the label. Prometheus adds <c>job</c> and <c>instance</c> to whatever it reads.</summary>
    public bool HasLabel(string metric, string label) =>
        label is "job" or "instance" || _samples.Exists(sample => sample.Metric == metric && sample.Labels.ContainsKey(label));

    public bool HasLabel(string metric, string label, string value) =>
        _samples.Exists(sample => sample.Metric == metric && sample.Labels.Contains(new(label, value)));

    [GeneratedRegex(@"^# TYPE (\w+) (\w+)", RegexOptions.Multiline)]
    private static partial Regex TypeLine();

    [GeneratedRegex(@"^(\w+)\{(.*)\} (\S+)", RegexOptions.Multiline)]
    private static partial Regex SampleLine();

    [GeneratedRegex("""(\w+)="((?:[^"\\]|\\.)*)"[,}]?""")]
    private static partial Regex Label();
}
