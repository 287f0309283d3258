using PixelPool.Stress.Drawing;
using ThumbnailService.Load.Firing;
using ThumbnailService.Load.Watching;

namespace ThumbnailService.Load.Reporting;

/// <summary>One run: what it is and how it ended, memory over time, and requests over the same time.</summary>
internal sealed class RunPanel(SvgDocument svg, RunFigures run, Axis mebibytes, Axis requests, double left, double right)
{
    public const int MemoryTop = 178;
    public const int MemoryBottom = 392;
    public const int RequestsTop = 414;
    public const int RequestsBottom = 494;

    public const string Css =
        """
        .panel { fill: #1d2733; font-size: 14.5px; font-weight: 600; }
        .charged { fill: #a9cdf0; }
        .charged-line { stroke: #2f7dd1; stroke-width: 1.5; stroke-linejoin: round; fill: none; }
        .served { fill: #4fae8b; }
        .failed { fill: #dd6b36; }
        .limit { stroke: #c2410c; stroke-width: 1.5; fill: none; }
        .limit-text, .failure-text { fill: #c2410c; font-size: 12px; }
        .heap-limit { stroke: #6d28d9; stroke-width: 1.5; stroke-dasharray: 6 4; fill: none; }
        .end-mark { stroke: #c2410c; stroke-width: 2.5; fill: none; }
        @media (prefers-color-scheme: dark) {
          .panel { fill: #e8edf3; }
          .charged { fill: #24486d; }
          .charged-line { stroke: #62abf5; }
          .served { fill: #2f7d62; }
          .failed { fill: #c2561f; }
          .limit, .end-mark { stroke: #fb923c; }
          .limit-text, .failure-text { fill: #fb923c; }
          .heap-limit { stroke: #b79bff; }
        }

        """;

    private const double Mebibyte = 1 << 20;

    /// <summary>More points than a panel has pixels say nothing.</summary>
    private const int MaxPoints = 300;

    private readonly Axis _seconds = Axis.ForSeconds(run.Samples[^1].Seconds, left, right);

    public void Draw(long limitBytes)
    {
        svg.AddText(left, MemoryTop - 66, "panel", run.Title);
        svg.AddText(left, MemoryTop - 46, "muted", Outcome());
        if (run.Failed > 0)
        {
            svg.AddText(left, MemoryTop - 27, "failure-text", run.FailureText);
        }

        DrawGrid(mebibytes);
        DrawGrid(requests);
        DrawTime();
        DrawMemory();
        DrawRequests();
        DrawLine("limit", limitBytes);
        svg.AddText(left + 4, mebibytes.At(limitBytes / Mebibyte) - 6, "limit-text", "limit");
        if (run.ManagedHeapLimitBytes is { } heapBytes && heapBytes < limitBytes)
        {
            DrawLine("heap-limit", heapBytes);
        }

        DrawKill(limitBytes);
    }

    private string Outcome() => $"{run.Served} of {run.Requests} served"
        + (run.KillText is { } when ? $", killed {when}" : run.Failed > 0 ? $", {run.Failed} failed:" : string.Empty);

    private void DrawGrid(Axis axis)
    {
        foreach (double mark in axis.Marks())
        {
            svg.Add($"""<path class="{(mark == 0 ? "axis" : "grid")}" d="M{left:0.#} {axis.At(mark):0.#}H{right:0.#}"/>""");
        }
    }

    private void DrawTime()
    {
        // An axis of a few seconds has room for few marks.
        double[] marks = [.. _seconds.Marks()];
        foreach (double mark in marks.Where((_, i) => i % ((marks.Length + 3) / 4) == 0))
        {
            svg.Add($"""<path class="axis" d="M{_seconds.At(mark):0.#} {RequestsBottom}v5"/>""");
            svg.AddText(_seconds.At(mark), RequestsBottom + 20, "label middle", $"{mark:0.#}");
        }

        svg.AddText((left + right) / 2, RequestsBottom + 42, "note middle", "seconds");
    }

    private void DrawMemory()
    {
        (double X, double Y)[] line = [.. Highest().Select(sample => (_seconds.At(sample.Seconds), mebibytes.At(sample.GroupBytes / Mebibyte)))];
        svg.AddArea("charged", line, line.Select(point => (point.X, (double)MemoryBottom)));
        svg.AddLine("charged-line", line);
    }

    /// <summary>Requests that ended, added up: those that were served at the bottom, those that failed above.</summary>
    private void DrawRequests()
    {
        (double X, double Served, double All)[] line = [.. Sums().Select(sum => (_seconds.At(sum.Seconds), requests.At(sum.Served), requests.At(sum.All)))];
        svg.AddArea("served", line.Select(point => (point.X, point.Served)), line.Select(point => (point.X, (double)RequestsBottom)));
        if (run.Failed > 0)
        {
            svg.AddArea("failed", line.Select(point => (point.X, point.All)), line.Select(point => (point.X, point.Served)));
        }
    }

    private void DrawLine(string classes, long bytes) =>
        svg.Add($"""<path class="{classes}" d="M{left:0.#} {mebibytes.At(bytes / Mebibyte):0.#}H{right:0.#}"/>""");

    private void DrawKill(long limitBytes)
    {
        if (run.KilledSeconds is { } seconds)
        {
            (double x, double y) = (_seconds.At(seconds), mebibytes.At(limitBytes / Mebibyte));
            svg.Add($"""<path class="end-mark" d="M{x - 6:0.##} {y - 6:0.#}l12 12m0 -12l-12 12"/>""");
        }
    }

    /// <summary>The highest sample of each stretch: a peak is never left out.</summary>
    private IEnumerable<MemorySample> Highest() =>
        run.Samples.Chunk((run.Samples.Count + MaxPoints - 1) / MaxPoints).Select(stretch => stretch.MaxBy(sample => sample.GroupBytes));

    private IEnumerable<(double Seconds, int Served, int All)> Sums()
    {
        (double Seconds, int Served, int All) sum = default;
        yield return sum;
        foreach (RequestEnd[] stretch in run.Ends.Chunk(Math.Max(1, (run.Ends.Count + MaxPoints - 1) / MaxPoints)))
        {
            // Nothing ended before the first of them.
            yield return (stretch[0].Seconds, sum.Served, sum.All);
            sum = (stretch[^1].Seconds, sum.Served + stretch.Count(static end => end.Failure is null), sum.All + stretch.Length);
            yield return sum;
        }

        yield return (run.Samples[^1].Seconds, sum.Served, sum.All);
    }
}
