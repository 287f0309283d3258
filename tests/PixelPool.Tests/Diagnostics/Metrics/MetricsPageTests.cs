using System.Diagnostics.Metrics;
using System.Globalization;
using PixelPool.Budgets;

namespace PixelPool.Tests.Diagnostics.Metrics;

/// <summary>The page for operators lists the instruments that exist: no more, no fewer, with kind, unit and tags.</summary>
public class MetricsPageTests
{
    [Fact]
    public void Page_lists_the_instruments()
    {
        using var factory = new TestMeterFactory(shares: false);
        using var reader = new MetricsReader(factory);
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MeterFactory = factory });
        ILookup<string, string> parts = reader.ReadAll().Keys.Select(static key => key.Split('@')[0].Split(' '))
            .Where(static key => key.Length == 2).ToLookup(static key => key[0], static key => key[1]);
        string[] existing = [.. reader.Instruments.Select(instrument => string.Join(" | ", [
            instrument.Name,
            instrument.GetType().Name.Split('`')[0],
            instrument.Unit!,
            .. instrument.IsObservable ? [] : new[] { string.Join(", ", Enum.GetNames<WaitOutcome>().Select(SnakeCase)) },
            .. parts.Contains(instrument.Name) ? [string.Join(", ", parts[instrument.Name])] : Array.Empty<string>(),
        ])).Order()];
        string[] listed = [.. MarkdownTable.Read("Instrument").Select(static cells => string.Join(
            " | ", cells.Take(3).Concat(cells[3].Length == 0 ? [] : [cells[3].Split(": ")[1]]))).Order()];
        Assert.Equal(existing, listed);
        Assert.All(reader.Instruments, static instrument => Assert.False(string.IsNullOrEmpty(instrument.Description)));
        Assert.All(reader.Instruments, static instrument => Assert.Equal(instrument.Name != "pixelpool.wait_time", instrument.IsObservable));
    }

    [Fact]
    public void Page_says_what_a_name_costs()
    {
        using var factory = new TestMeterFactory(shares: true);
        using var reader = new MetricsReader(factory);
        using PixelAllocator without = PixelAllocator.Create(new PixelAllocatorOptions { MeterFactory = factory, Name = "without" });
        using PixelAllocator with = PixelAllocator.Create(new PixelAllocatorOptions { MeterFactory = factory, Name = "with", MaxRentedBytes = 1 });
        Assert.Contains(
            $"distinct name costs {reader.Read("without").Count} time series, {reader.Read("with").Count} with a budget",
            MarkdownTable.ReadText(),
            StringComparison.Ordinal);
    }

#if LIBRARY_NET10
    [Fact]
    public void Page_lists_the_boundaries_of_waits()
    {
        using var factory = new TestMeterFactory(shares: true);
        using var reader = new MetricsReader(factory);
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MeterFactory = factory });
        Histogram<double> waits = Assert.Single(reader.Instruments.OfType<Histogram<double>>());
        IReadOnlyList<double> boundaries = waits.Advice!.HistogramBucketBoundaries!;
        Assert.Equal((0.001, 60), (boundaries[0], boundaries[^1]));
        Assert.Contains(new PixelAllocatorOptions().LongWaitThreshold.TotalSeconds, boundaries);
        Assert.Contains(
            $"[{string.Join(", ", boundaries.Select(static seconds => seconds.ToString(CultureInfo.InvariantCulture)))}]", MarkdownTable.ReadText(), StringComparison.Ordinal);
    }
#endif

    private static string SnakeCase(string name) => string.Concat(name.Select(static (letter, i) => (char.IsUpper(letter) && i > 0 ? "_" : string.Empty) + char.ToLowerInvariant(letter)));
}
