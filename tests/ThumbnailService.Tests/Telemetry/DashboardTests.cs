using System.Text.RegularExpressions;
using PixelPool;
using ThumbnailService.Tests.Infrastructure;

namespace ThumbnailService.Tests.Telemetry;

/// <summary>
/// The dashboard and the alerts of <c>docs/metrics.md</c> ask for what OpenTelemetry's exporter for Prometheus really makes of the instruments. A query for a name that does not exist
/// is no error anywhere: its panel is empty, and its alert never fires.
/// </summary>
[Collection(nameof(TelemetryTests))]
public partial class DashboardTests
{
    private static readonly GrafanaDashboard s_dashboard = new();

    [Fact]
    public async Task Dashboard_asks_for_what_exists()
    {
        ScrapedMetrics metrics = await ScrapeAsync();
        Assert.All(s_dashboard.Queries, item =>
        {
            AssertExists(metrics, item.Query);
            Assert.Subset(item.Query.Groups.ToHashSet(), item.Legend.ToHashSet());
        });
        Assert.All(s_dashboard.Choices, item =>
        {
            AssertExists(metrics, item.Query);
            Assert.True(metrics.HasLabel(item.Query.Selectors[0].Metric, item.Label), item.Label);
        });
    }

    [Fact]
    public async Task Every_instrument_is_in_the_dashboard()
    {
        ScrapedMetrics metrics = await ScrapeAsync();
        HashSet<string> drawn = [.. s_dashboard.Queries.SelectMany(static item => item.Query.Selectors).Select(static selector => selector.Metric)];
        string[] existing = [.. metrics.Types.Where(static type => type.Key.StartsWith("pixelpool_", StringComparison.Ordinal))
            .Select(static type => type.Value == "histogram" ? type.Key + "_bucket" : type.Key)];
        Assert.NotEmpty(existing);
        Assert.Empty(existing.Except(drawn));
    }

    // What is chosen above the panels holds for all of them.
    [Fact]
    public void Every_query_is_filtered_by_the_variables()
    {
        Assert.Equal(["datasource", "job", "instance", "allocator"], s_dashboard.Variables);
        Assert.All(s_dashboard.Queries.SelectMany(static item => item.Query.Selectors), static selector =>
        {
            Assert.Contains(("job", "=~", "$job"), selector.Matchers);
            Assert.Contains(("instance", "=~", "$instance"), selector.Matchers);
            bool isOfAllocator = selector.Metric.StartsWith("pixelpool_", StringComparison.Ordinal);
            Assert.Equal(isOfAllocator, selector.Matchers.Contains(("pixelpool_allocator", "=~", "$allocator")));
        });
    }

    [Fact]
    public void Every_panel_says_what_it_shows()
    {
        Assert.Distinct(s_dashboard.Panels.Select(static panel => panel.GetProperty("id").GetInt32()));
        Assert.All(s_dashboard.Panels, static panel =>
        {
            string property = panel.GetProperty("type").ValueEquals("row") ? "title" : "description";
            Assert.NotEqual(string.Empty, panel.GetProperty(property).GetString());
        });
    }

    [Fact]
    public async Task Alerts_of_the_page_ask_for_what_exists()
    {
        ScrapedMetrics metrics = await ScrapeAsync();
        string rules = Assert.Single(new MarkdownPage("docs/metrics.md").Blocks("yaml"));
        PromQuery[] alerts = [.. AlertQuery().Matches(rules).Select(static match => new PromQuery(match.Groups[1].Value))];
        Assert.Equal(Regex.Count(rules, "- alert: "), alerts.Length);
        Assert.NotEmpty(alerts);
        Assert.All(alerts, query => AssertExists(metrics, query));
    }

    /// <summary>All that there is: an allocator with a budget for which a request has waited.</summary>
    private static async Task<ScrapedMetrics> ScrapeAsync()
    {
        CancellationToken cancellation = TestContext.Current.CancellationToken;
        await using RunningService service = await RunningService.StartAsync("PixelPool:MaxRentedBytes=32M");
        PixelBuffer<byte> all = service.Allocator.Rent<byte>(1 << 20, 32);
        Task<PixelBuffer<byte>> waiting = service.Allocator.RentAsync<byte>(1 << 20, 4, cancellationToken: cancellation).AsTask();
        all.Dispose();
        (await waiting).Dispose();
        return new ScrapedMetrics(await service.Client.GetStringAsync("metrics", cancellation));
    }

    private static void AssertExists(ScrapedMetrics metrics, PromQuery query)
    {
        Assert.NotEmpty(query.Selectors);
        Assert.Empty(query.UnknownNames);
        Assert.All(query.Groups, group => Assert.Contains(query.Selectors, selector => metrics.HasLabel(selector.Metric, group)));
        foreach ((string metric, var matchers) in query.Selectors)
        {
            Assert.True(metrics.Has(metric), $"{metric} does not exist: {query}");
            foreach ((string label, string value) in matchers.SelectMany(static matcher => matcher.Value.Split('|').Select(value => (matcher.Label, value))))
            {
                bool exists = value.StartsWith('$') ? metrics.HasLabel(metric, label) : metrics.HasLabel(metric, label, value);
                Assert.True(exists, $"{metric} has no {label} {value}: {query}");
            }
        }
    }

    [GeneratedRegex("^ *expr: (.*)$", RegexOptions.Multiline)]
    private static partial Regex AlertQuery();
}
