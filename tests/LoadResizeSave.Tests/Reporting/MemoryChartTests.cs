using LoadResizeSave.Codecs;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Memory;
using LoadResizeSave.Pipeline;
using LoadResizeSave.Reporting;
using LoadResizeSave.Reporting.Chart;
using LoadResizeSave.Tests.Infrastructure;

namespace LoadResizeSave.Tests.Reporting;

public class MemoryChartTests
{
    private const long MiB = ByteSize.Mebibyte;

    private static readonly MemorySample[] s_samples =
    [
        new(TimeSpan.Zero, 50 * MiB, 0, 0, 0),
        new(TimeSpan.FromSeconds(1), 90 * MiB, 40 * MiB, 0, 0),
        new(TimeSpan.FromSeconds(2), 100 * MiB, 10 * MiB, 40 * MiB, 0),
        new(TimeSpan.FromSeconds(3), 60 * MiB, 0, 10 * MiB, 40 * MiB),
        new(TimeSpan.FromSeconds(4), 50 * MiB, 0, 0, 50 * MiB),
    ];

    private static readonly Moment[] s_moments =
    [
        new("last photo", TimeSpan.FromSeconds(2), 100 * MiB),
        new("Trim()", TimeSpan.FromSeconds(4), 50 * MiB),
    ];

    [Fact]
    public void It_shows_what_is_rented_idle_and_resident()
    {
        Chart chart = Draw(hasPool: true);
        (double X, double Y)[] resident = chart.Series("resident");
        (double X, double Y)[] rented = chart.Series("rented");
        (double X, double Y)[] idle = chart.Series("idle");
        Assert.Equal(s_samples.Length, resident.Length);

        // Areas go along the upper edge and back along the lower one.
        Assert.Equal(2 * s_samples.Length, rented.Length);
        Assert.Equal(2 * s_samples.Length, idle.Length);
        double zero = rented[^1].Y;
        double mebibyte = (zero - resident[0].Y) / 50;
        Assert.True(mebibyte > 0, "more memory is higher up");
        for (int i = 0; i < s_samples.Length; i++)
        {
            MemorySample sample = s_samples[i];
            AssertAt(sample.Resident, resident[i]);
            AssertAt(sample.Rented, rented[i]);
            AssertAt(0, rented[^(i + 1)]);
            AssertAt(sample.Rented + sample.Idle, idle[i]);
            AssertAt(sample.Rented, idle[^(i + 1)]);
        }

        void AssertAt(long bytes, (double X, double Y) point) =>
            Assert.InRange((zero - point.Y) / mebibyte, (bytes / MiB) - 0.2, (bytes / MiB) + 0.2);
    }

    [Fact]
    public void Time_goes_to_the_right_in_even_steps()
    {
        (double X, double Y)[] resident = Draw(hasPool: true).Series("resident");
        double second = (resident[^1].X - resident[0].X) / 4;
        Assert.True(second > 0);
        Assert.All(resident, (point, i) => Assert.InRange(point.X - resident[0].X - (i * second), -0.11, 0.11));
    }

    [Fact]
    public void It_names_the_run_and_its_moments_and_marks_what_went_back()
    {
        Chart chart = Draw(hasPool: true);
        Assert.Equal("Memory while making 0 thumbnails with pixelpool", chart.Title);
        Assert.Contains("last photo", chart.Texts);
        Assert.Contains("Trim()", chart.Texts);
        Assert.Contains("idle in the pool", chart.Texts);
        Assert.Equal(["40 MiB given back", "10 MiB given back"], chart.TrimTitles);
    }

    [Fact]
    public void Allocators_that_tell_nothing_have_the_kernels_line_only()
    {
        Chart chart = Draw(hasPool: false);
        Assert.Equal(s_samples.Length, chart.Series("resident").Length);
        Assert.Empty(chart.Series("rented"));
        Assert.Empty(chart.Series("idle"));
        Assert.DoesNotContain("idle in the pool", chart.Texts);
    }

    private static Chart Draw(bool hasPool)
    {
        using var folder = new TemporaryFolder();
        var settings = new Settings
        {
            Input = null,
            Output = folder.FullPath,
            Allocator = hasPool ? AllocatorKind.PixelPool : AllocatorKind.Native,
            Format = ImageCodecs.Png,
            Size = 100,
            Parallelism = 2,
            Repetitions = 1,
            LeakEvery = 0,
            WatchIdle = false,
        };
        MemorySample[] samples = hasPool
            ? s_samples
            : [.. s_samples.Select(sample => new MemorySample(sample.At, sample.Resident, 0, 0, 0))];
        var result = new RunResult(
            settings, new RunTotals(), TimeSpan.FromSeconds(2), default, Pool: null, new MemoryHistory(samples, s_moments, hasPool))
        {
            Hash = null,
        };
        MemoryChart.Save(result);
        return new Chart(folder["memory.svg"]);
    }
}
