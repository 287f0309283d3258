using ThumbnailService.Load.Firing;
using ThumbnailService.Load.Reporting;
using ThumbnailService.Load.Watching;

namespace ThumbnailService.Tests.Reporting;

/// <summary>The picture on the page about the demonstration.</summary>
public sealed class MemoryChartTests : IDisposable
{
    private const long MiB = 1 << 20;

    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Theory]
    [InlineData(0.31)]
    [InlineData(0.56)]
    [InlineData(0.8)]
    public void The_cross_stands_at_the_time_that_the_text_says(double killedSeconds)
    {
        DrawnPanel panel = Draw(Run(killedSeconds, service: null, Failed(0.7, "connection broken"), Failed(0.75, "no service")));
        Assert.Equal(killedSeconds, panel.SaidSeconds("killed after"));
        Assert.Equal(killedSeconds, panel.TimeOf("end-mark"), 0.002);
    }

    [Fact]
    public void A_service_that_was_not_killed_has_no_cross()
    {
        DrawnPanel panel = Draw(Run(killedSeconds: null, service: null, Served(0.5)));
        Assert.False(panel.Has("end-mark"));
        Assert.DoesNotContain(panel.Texts, text => text.Contains("killed", StringComparison.Ordinal));
    }

    [Fact]
    public void What_failed_is_drawn_over_time_and_named()
    {
        DrawnPanel panel = Draw(
            Run(killedSeconds: null, service: null, Served(0.1)),
            Run(null, """{ "mode": "Managed", "managedHeapLimitBytes": 402653184 }""", Served(0.2), Failed(0.4, "503 OutOfMemoryException"), Failed(0.6, "503 OutOfMemoryException")));
        Assert.Contains("1 of 4 served, 2 failed:", panel.Texts);
        Assert.Contains("2 × 503 OutOfMemoryException", panel.Texts);
        Assert.True(panel.Has("heap-limit"));
        Assert.Contains("limit of the managed heap", File.ReadAllText(_file), StringComparison.Ordinal);

        // Of 4 requests: 1 was served, and above it the first failure from 0.4 s on, the second from 0.6 s on.
        (double Seconds, double Requests)[] failed = panel.PointsOf("failed", 4);
        Assert.Contains(failed, point => Near(point, 0.4, 1));
        Assert.Contains(failed, point => Near(point, 0.4, 2));
        Assert.Contains(failed, point => Near(point, 0.6, 3));
        Assert.Equal(3, failed.Max(static point => point.Requests), 0.1);
        Assert.Equal(1, panel.PointsOf("served", 4).Max(static point => point.Requests), 0.1);

        static bool Near((double Seconds, double Requests) point, double seconds, double requests) =>
            Math.Abs(point.Seconds - seconds) < 0.005 && Math.Abs(point.Requests - requests) < 0.05;
    }

    [Fact]
    public void A_service_in_whose_pool_everything_was_served_shows_no_failure()
    {
        DrawnPanel panel = Draw(Run(null, """{ "mode": "PixelPool", "managedHeapLimitBytes": 402653184 }""", Served(0.1), Served(0.2), Served(0.3), Served(0.4)));
        Assert.Contains("4 of 4 served", panel.Texts);
        Assert.False(panel.Has("failed"));
        Assert.False(panel.Has("heap-limit"));
        Assert.DoesNotContain("limit of the managed heap", File.ReadAllText(_file), StringComparison.Ordinal);
    }

    private DrawnPanel Draw(params RunFigures[] runs)
    {
        MemoryChart.Save(_file, runs, 512 * MiB);
        return new DrawnPanel(_file, runs.Length - 1);
    }

    private static RequestEnd Served(double seconds) => new(seconds, 0.1, Failure: null);

    private static RequestEnd Failed(double seconds, string reason) => new(seconds, 0.1, reason);

    private static RunFigures Run(double? killedSeconds, string? service, params RequestEnd[] ends) => new(
        "A service", "photos", "1", 512 * MiB, 4, 2, ends, 0.8, 0, 512 * MiB, 500 * MiB, killedSeconds, service,
        [new(0, 10 * MiB, MiB), new(0.2, 100 * MiB, MiB), new(0.4, 512 * MiB, MiB), new(0.6, 511 * MiB, MiB), new(0.8, 0, 0)]);
}
