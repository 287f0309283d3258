using System.Globalization;
using PixelPool.Diagnostics;

namespace PixelPool.Recording.Tests.Charts;

/// <summary>What must be in a drawing. How it looks is seen in the README.</summary>
public class MemoryChartTests
{
    private const long MiB = 1 << 20;

    private static readonly MemorySample[] s_samples =
    [
        Sample(0, 50),
        Sample(1, 90, new PixelPoolStatistics { RentedBytes = 40 * MiB }),
        Sample(2, 100, new PixelPoolStatistics { RentedBytes = 10 * MiB, IdleBytes = 40 * MiB }),
        Sample(3, 60, new PixelPoolStatistics { IdleBytes = 10 * MiB, TrimmedByTimerBytes = 30 * MiB, TrimmedByPressureBytes = 10 * MiB }),
        Sample(4, 50, new PixelPoolStatistics { TrimmedByTimerBytes = 40 * MiB, TrimmedByPressureBytes = 10 * MiB }),
    ];

    [Fact]
    public void It_shows_what_is_rented_idle_and_resident()
    {
        var chart = new ChartFile(new MemoryRecording("name", s_samples, []));
        (double X, double Y)[] resident = chart.Points("resident");
        (double X, double Y)[] rented = chart.Points("rented");
        (double X, double Y)[] held = chart.Points("idle");
        double zero = rented[0].Y;
        double mebibyte = (zero - resident[0].Y) / 50;
        double second = (resident[^1].X - resident[0].X) / 4;
        Assert.True(mebibyte > 0 && second > 0, "more memory is higher up, later is to the right");
        AssertPoints(resident, [(0, 50), (1, 90), (2, 100), (3, 60), (4, 50)]);
        AssertPoints(rented, [(0, 0), (1, 40), (2, 10), (3, 0), (4, 0)]);
        AssertPoints(held, [(0, 0), (1, 40), (2, 50), (3, 10), (4, 0)]);

        void AssertPoints((double X, double Y)[] points, (double Seconds, double Mebibytes)[] expected)
        {
            Assert.Equal(expected.Length, points.Length);
            for (int i = 0; i < expected.Length; i++)
            {
                Assert.InRange(points[i].X, resident[0].X + (expected[i].Seconds * second) - 0.11, resident[0].X + (expected[i].Seconds * second) + 0.11);
                Assert.InRange((zero - points[i].Y) / mebibyte, expected[i].Mebibytes - 0.1, expected[i].Mebibytes + 0.1);
            }
        }
    }

    [Fact]
    public void It_says_what_it_shows()
    {
        var chart = new ChartFile(new MemoryRecording("my <pool>", s_samples, []));
        Assert.Equal("Memory over time: my <pool>", chart.Title);
        Assert.Equal("4 s; resident up to 100 MiB, 50 MiB at the end; rented up to 40 MiB; 50 MiB given back", chart.Description);
        Assert.Subset(chart.Texts.ToHashSet(), new HashSet<string>
        {
            chart.Title, chart.Description, "resident (the system's count)", "rented", "idle in the pool", "given back to the system",
            "0 B", "64 MiB", "112 MiB", "0", "0.5 s", "4 s", "peak 100 MiB", "50 MiB",
        });
        Assert.DoesNotContain(chart.Texts, static text => text.Contains("budget", StringComparison.Ordinal) || text.Contains("leak", StringComparison.Ordinal));

        chart = new ChartFile(new MemoryRecording("my pool", s_samples, []), "Title & more", "Subtitle");
        Assert.Equal("Title & more", chart.Title);
        Assert.Subset(chart.Texts.ToHashSet(), new HashSet<string> { "Title & more", "Subtitle" });
    }

    [Fact]
    public void Without_an_allocator_there_is_the_line_of_the_process_only()
    {
        var chart = new ChartFile(new MemoryRecording(null, [.. s_samples.Select(static sample => sample with { Pool = default })], []));
        Assert.Equal("Resident memory over time", chart.Title);
        Assert.Equal(5, chart.Points("resident").Length);
        Assert.Empty(chart.Points("rented"));
        Assert.Empty(chart.Points("idle"));
        Assert.DoesNotContain("rented", chart.Texts);
    }

    [Fact]
    public void That_the_line_lies_below_the_areas_is_explained_where_it_does()
    {
        static bool Explains(string text) => text.StartsWith("Where the line lies lower", StringComparison.Ordinal);

        var above = new ChartFile(new MemoryRecording("name", s_samples, []));
        Assert.DoesNotContain(above.Texts, Explains);

        MemorySample[] samples = [.. s_samples, Sample(5, 50, new PixelPoolStatistics { RentedBytes = 40 * MiB, IdleBytes = 20 * MiB })];
        var below = new ChartFile(new MemoryRecording("name", samples, []));
        Assert.Contains(below.Texts, Explains);
        Assert.True(below.Height > above.Height, "there is no room for it");
    }

    [Fact]
    public void Trims_are_marked_with_their_reasons()
    {
        var chart = new ChartFile(new MemoryRecording("name", s_samples, []));
        Assert.Equal(
            ["3 s: 40 MiB given back to the system (timer, memory pressure)", "4 s: 10 MiB given back to the system (timer)"], chart.Hints("trim"));
        Assert.Empty(chart.Hints("wait"));
        Assert.Empty(chart.Hints("leak"));
    }

    [Fact]
    public void Trims_that_would_cover_each_other_are_one_mark_a_steady_pace_is_many()
    {
        MemorySample[] samples =
        [
            .. Enumerable.Range(0, 1001).Select(static i => Sample(i, 50, new PixelPoolStatistics { TrimmedByRequestBytes = i * MiB })),
        ];
        string[] hints = new ChartFile(new MemoryRecording("name", samples, [])).Hints("trim");
        Assert.InRange(hints.Length, 40, 60);
        Assert.Equal("1 s: 18 MiB given back to the system (request)", hints[0]);
    }

    [Fact]
    public void Waits_are_as_long_as_they_took()
    {
        MemorySample[] samples =
        [
            Sample(0, 50, new PixelPoolStatistics { Waits = 5 }),
            Sample(2, 50, new PixelPoolStatistics { Waits = 5, WaitingRents = 2 }),
            .. Enumerable.Range(21, 40).Select(static i => Sample(i / 10.0, 50, new PixelPoolStatistics { Waits = 6, WaitingRents = 1 })),
            Sample(8, 50, new PixelPoolStatistics { Waits = 7 }),
            Sample(9, 50, new PixelPoolStatistics { Waits = 8 }), // began and ended between two samples
            Sample(10, 50, new PixelPoolStatistics { Waits = 8 }),
        ];
        var chart = new ChartFile(new MemoryRecording("name", samples, []));
        Assert.Equal(["2 s: 2 requests waited for budget", "9 s: 1 request waited for budget"], chart.Hints("wait"));
        Assert.Contains("requests wait for budget", chart.Texts);
        (double X, double Width)[] bands = chart.WaitBands;
        (double X, double Y)[] line = chart.Points("resident");
        double second = (line[^1].X - line[0].X) / 10;
        Assert.Equal(2, bands.Length);
        Assert.InRange(bands[0].Width, 3.9 * second, 4.1 * second);
        Assert.InRange(bands[1].Width, 1, 0.2 * second);
        Assert.Contains("3 waits", chart.Description, StringComparison.Ordinal);
    }

    [Fact]
    public void Leaks_are_marked()
    {
        var chart = new ChartFile(new MemoryRecording(
            "name",
            [
                Sample(0, 50, new PixelPoolStatistics { LeakedCount = 1, LeakedBytes = 4 * MiB }),
                Sample(1, 50, new PixelPoolStatistics { LeakedCount = 3, LeakedBytes = 12 * MiB }),
                Sample(2, 50, new PixelPoolStatistics { LeakedCount = 3, LeakedBytes = 12 * MiB }),
            ],
            []));
        Assert.Equal(["1 s: 2 leaks, 8 MiB brought back by finalizers"], chart.Hints("leak"));
        Assert.Contains("leaked: a finalizer returned it", chart.Texts);
        Assert.EndsWith("2 leaks", chart.Description, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(150, true)]
    [InlineData(300, true)]
    [InlineData(10_000, false)]
    public void The_budget_is_a_line_unless_everything_else_were_flat_with_it(long mebibytes, bool isShown)
    {
        var pool = new PixelPoolStatistics { BudgetBytes = mebibytes * MiB };
        var chart = new ChartFile(new MemoryRecording("name", [Sample(0, 100, pool), Sample(1, 50, pool)], []));
        (double X, double Y)[] line = chart.Points("resident");
        Assert.Equal(isShown, chart.BudgetY is not null);
        if (chart.BudgetY is { } y)
        {
            double mebibyte = (line[1].Y - line[0].Y) / 50;
            Assert.InRange(y, line[0].Y - ((mebibytes - 100) * mebibyte) - 1, line[0].Y - ((mebibytes - 100) * mebibyte) + 1);
        }

        Assert.Contains(isShown ? $"budget: {mebibytes} MiB" : "budget: 9.77 GiB, far above", chart.Texts);
    }

    [Fact]
    public void Moments_are_named_where_there_is_room_and_always_when_pointed_at()
    {
        string[] names = ["start <&>\0\U0001F600", "a name that is much longer than what anybody would like to read in a chart", "end"];
        var chart = new ChartFile(new MemoryRecording(
            "name", s_samples, [new MemoryMoment(names[0], s_samples[0]), new MemoryMoment(names[1], s_samples[2]), new MemoryMoment(names[2], s_samples[4])]));
        Assert.Equal(["0 ms: start <&>\uFFFD\U0001F600", $"2 s: {names[1]}", "4 s: end"], chart.Hints("moment"));
        Assert.Contains("start <&>\uFFFD\U0001F600", chart.Texts);
        Assert.Contains("a name that is much longer than what anybody wo…", chart.Texts);
        Assert.Contains("end", chart.Texts);

        MemoryMoment[] many = [.. Enumerable.Range(0, 500).Select(static i => new MemoryMoment($"moment {i}", s_samples[1]))];
        chart = new ChartFile(new MemoryRecording("name", s_samples, many));
        Assert.Equal(500, chart.Hints("moment").Length);
        Assert.Equal(["moment 0", "moment 1", "moment 2", "moment 3"], chart.Texts.Where(static text => text.StartsWith("moment", StringComparison.Ordinal)));
    }

    [Fact]
    public void No_samples_one_sample_and_constant_memory_are_drawn_too()
    {
        var nothing = new ChartFile(new MemoryRecording(null, [], []));
        Assert.Equal("Nothing was recorded.", nothing.Description);
        Assert.Single(nothing.Points("resident"));

        var one = new ChartFile(new MemoryRecording("name", [Sample(0, 50)], [new MemoryMoment("then", Sample(0, 50))]));
        Assert.Single(one.Points("resident"));
        Assert.DoesNotContain(one.Texts, static text => text.StartsWith("peak", StringComparison.Ordinal));
        Assert.Contains("50 MiB", one.Texts);

        var sameTime = new ChartFile(new MemoryRecording("name", [Sample(0, 50), Sample(0, 60), Sample(0, 40)], []));
        Assert.All(sameTime.Points("resident"), point => Assert.Equal(sameTime.Points("resident")[0].X, point.X));

        var constant = new ChartFile(new MemoryRecording("name", [.. Enumerable.Range(0, 1000).Select(static i => Sample(i, 50))], []));
        Assert.Equal(2, constant.Points("resident").Length);
    }

    [Fact]
    public void Hours_of_noise_are_a_small_file_that_shows_every_peak()
    {
        const int Seed = 20261121;
        var random = new Random(Seed);
        MemorySample[] samples =
        [
            .. Enumerable.Range(0, 2048).Select(i => Sample(i * 17.5, i == 1234 ? 900 : 400 + random.Next(200), new PixelPoolStatistics
            {
                RentedBytes = (i == 1236 ? 300 : random.Next(100)) * MiB, IdleBytes = random.Next(100) * MiB, TrimmedByTimerBytes = i * MiB,
            })),
        ];
        var chart = new ChartFile(new MemoryRecording("name", samples, []));
        Assert.InRange(chart.Source.Length, 20_000, 60_000);
        (double X, double Y)[] line = chart.Points("resident");
        double bottom = chart.Height - 66;
        double mebibyte = (bottom - line.Min(static point => point.Y)) / 900;
        Assert.InRange((bottom - chart.Points("rented").Min(static point => point.Y)) / mebibyte, 299, 301);
        Assert.InRange((bottom - line[^1].Y) / mebibyte, (samples[^1].ResidentBytes / MiB) - 1, 600);
        Assert.Contains("peak 900 MiB", chart.Texts);
        Assert.Contains("8 h", chart.Texts);
    }

    [Fact]
    public void It_needs_nothing_else_and_does_not_depend_on_the_culture()
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            var recording = new MemoryRecording("Ünï", s_samples, [new MemoryMoment("é", s_samples[1])]);
            string invariant = new ChartFile(recording).Source;
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("de-DE");
            var chart = new ChartFile(recording);
            Assert.Equal(invariant, chart.Source);
            Assert.All(chart.Source, static c => Assert.InRange(c, '\n', '~'));
            Assert.Equal(
                ["circle", "desc", "g", "path", "rect", "style", "svg", "text", "title"], chart.Elements.Distinct().OrderBy(static name => name, StringComparer.Ordinal));
            Assert.DoesNotContain("url(", chart.Source, StringComparison.Ordinal);
            Assert.DoesNotContain("href", chart.Source, StringComparison.Ordinal);
            Assert.DoesNotContain("@import", chart.Source, StringComparison.Ordinal);
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    private static MemorySample Sample(double seconds, long residentMebibytes, PixelPoolStatistics pool = default) =>
        new(TimeSpan.FromSeconds(seconds), residentMebibytes * MiB, pool);
}
