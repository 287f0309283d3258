using System.Text.Json;
using System.Text.RegularExpressions;

namespace ThumbnailService.Tests.Telemetry;

/// <summary>The file that operators import, <c>docs/metrics/grafana-dashboard.json</c>.</summary>
internal sealed partial class GrafanaDashboard
{
    private readonly JsonElement _root = JsonElement.Parse(File.ReadAllBytes(Path.Combine(MarkdownPage.Root(), "docs/metrics/grafana-dashboard.json")));

    /// <summary>Panels and rows.</summary>
    public IEnumerable<JsonElement> Panels => _root.GetProperty("panels").EnumerateArray();

    public IEnumerable<string> Variables => VariableElements.Select(static variable => variable.GetProperty("name").GetString()!);

    /// <summary>What the panels draw, with the labels that their legends show.</summary>
    public IEnumerable<(PromQuery Query, IEnumerable<string> Legend)> Queries =>
        from panel in Panels
        where panel.TryGetProperty("targets", out _)
        from target in panel.GetProperty("targets").EnumerateArray()
        select (new PromQuery(target.GetProperty("expr").GetString()!), Legend(target.GetProperty("legendFormat").GetString()!));

    /// <summary>Where the choices of the variables come from: <c>label_values(metric, label)</c>.</summary>
    public IEnumerable<(PromQuery Query, string Label)> Choices =>
        from variable in VariableElements
        where variable.GetProperty("type").GetString() == "query"
        let match = LabelValues().Match(variable.GetProperty("query").GetProperty("query").GetString()!)
        select (new PromQuery(match.Groups[1].Value), match.Groups[2].Value);

    private IEnumerable<JsonElement> VariableElements => _root.GetProperty("templating").GetProperty("list").EnumerateArray();

    private static IEnumerable<string> Legend(string format) => LegendLabel().Matches(format).Select(static match => match.Groups[1].Value);

    [GeneratedRegex(@"^label_values\((.*), (\w+)\)$")]
    private static partial Regex LabelValues();

    [GeneratedRegex(@"\{\{(\w+)\}\}")]
    private static partial Regex LegendLabel();
}
