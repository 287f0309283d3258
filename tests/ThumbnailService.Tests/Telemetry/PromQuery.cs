using System.Text.RegularExpressions;

namespace ThumbnailService.Tests.Telemetry;

/// <summary>A query in the language of Prometheus, as far as a test has to know which metrics and labels it uses.</summary>
internal sealed partial class PromQuery
{
    private static readonly string[] s_words = ["sum", "max", "rate", "increase", "histogram_quantile", "and"];

    private readonly string _text;

    public PromQuery(string text)
    {
        _text = text;
        Groups = [.. Grouping().Matches(text).SelectMany(static match => match.Groups[1].Value.Split(", "))];
        string ungrouped = Grouping().Replace(text, string.Empty);
        Selectors = [.. Selector().Matches(ungrouped).Select(static match => (match.Groups[1].Value, Matchers(match.Groups[2].Value)))];
        UnknownNames = [.. Name().Matches(Selector().Replace(ungrouped, string.Empty)).Select(static match => match.Value).Except(s_words)];
    }

    /// <summary>The metrics, each with what its labels have to be.</summary>
    public IReadOnlyList<(string Metric, IReadOnlyList<(string Label, string Operator, string Value)> Matchers)> Selectors { get; }

    /// <summary>The labels that stay in the result.</summary>
    public IReadOnlyList<string> Groups { get; }

    /// <summary>Names of neither a metric of a meter nor a function that is in use here.</summary>
    public IReadOnlyList<string> UnknownNames { get; }

    public override string ToString() => _text;

    private static IReadOnlyList<(string Label, string Operator, string Value)> Matchers(string text) =>
        [.. Matcher().Matches(text).Select(static match => (match.Groups[1].Value, match.Groups[2].Value, match.Groups[3].Value))];

    [GeneratedRegex(@"by \(([^)]*)\)")]
    private static partial Regex Grouping();

    [GeneratedRegex(@"\b((?:pixelpool|dotnet)_\w+)(?:\{([^}]*)\})?")]
    private static partial Regex Selector();

    [GeneratedRegex("""(\w+)(=~|!=|=)"([^"]*)"(?:, |$)""")]
    private static partial Regex Matcher();

    [GeneratedRegex(@"(?<![$\w])[a-zA-Z_]\w*")]
    private static partial Regex Name();
}
