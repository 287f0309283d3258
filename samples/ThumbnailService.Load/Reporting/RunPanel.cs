using PixelPool.Diagnostics.Drawing;
using ThumbnailService.Load.Firing;

namespace ThumbnailService.Load.Reporting;

/// <summary>One run: what it is and how it ended, memory over time, and requests over the same time.</summary>
internal sealed class RunPanel(SvgDrawing svg, RunFigures run, LinearAxis bytes, LinearAxis requests, double left, double right)
{
    public const int MemoryTop = 178;
    public const int MemoryBottom = 392;
    public const int RequestsTop = 414;
    public const int RequestsBottom = 494;

    /// <summary>What a narrow panel has room for.</summary>
    private const int MaxTimeMarks = 4;

    /// <summary>More points than a panel has pixels say nothing.</summary>
    private const int MaxPoints = 300;

    private readonly LinearAxis _time = LinearAxis.ForTime(TimeSpan.FromSeconds(run.Samples[^1].Seconds), left, right, MaxTimeMarks);

    public static StyleSheet Style() => new StyleSheet("pixelpool-service")
        .Fill("charged", Colour.PaleBlue)
        .Line("charged-line", Colour.Blue, "stroke-width: 1.5; stroke-linejoin: round;")
        .Fill("served", new Colour("#4fae8b", "#2f7d62"))
        .Fill("failed", new Colour("#dd6b36", "#c2561f"))
        .Line("limit", Colour.Orange, "stroke-width: 1.5;")
        .Fill("limit-text", Colour.Orange, "font-size: 12px;")
        .Fill("failure-text", Colour.Orange, "font-size: 12px;")
        .Line("heap-limit", Colour.Violet, "stroke-width: 1.5; stroke-dasharray: 6 4;")
        .Line("end-mark", Colour.Orange, "stroke-width: 2.5;");

    /// <param name="limitBytes">Of the container.</param>
    /// <param name="isFirst">Whether the scales, which all panels have in common, stand to its left.</param>
    public void Draw(long limitBytes, bool isFirst)
    {
        svg.AddText("panel", left, MemoryTop - 66, run.Title);
        svg.AddText("muted", left, MemoryTop - 46, Outcome());
        if (run.Failed > 0)
        {
            svg.AddText("failure-text", left, MemoryTop - 27, run.FailureText);
        }

        var memory = new PlotFrame(svg, _time, bytes, left, right);
        var ends = new PlotFrame(svg, _time, requests, left, right);
        memory.DrawGrid();
        ends.DrawGrid();
        ends.DrawTicks();
        if (isFirst)
        {
            memory.DrawScale();
            ends.DrawScale();
        }

        DrawMemory();
        DrawRequests();
        memory.DrawLevel("limit", limitBytes);
        svg.AddText("limit-text", left + 4, bytes.At(limitBytes) - 6, "limit");
        if (run.ManagedHeapLimitBytes is { } heapBytes && heapBytes < limitBytes)
        {
            memory.DrawLevel("heap-limit", heapBytes);
        }

        DrawKill(limitBytes);
    }

    private string Outcome() => $"{run.Served} of {run.Requests} served"
        + (run.KillText is { } when ? $", killed {when}" : run.Failed > 0 ? $", {run.Failed} failed:" : string.Empty);

    private void DrawMemory()
    {
        List<(double X, double Y)> line = PlotLine.Highest(run.Samples.Select(sample => (_time.At(sample.Seconds), bytes.At(sample.GroupBytes))));
        svg.AddArea("charged", line, MemoryBottom);
        svg.AddLine("charged-line", line);
    }

    /// <summary>Requests that ended, added up: those that were served at the bottom, those that failed above.</summary>
    private void DrawRequests()
    {
        (double Seconds, int Served, int All)[] sums = [.. Sums()];
        if (run.Failed > 0)
        {
            svg.AddArea("failed", [.. sums.Select(sum => (_time.At(sum.Seconds), requests.At(sum.All)))], RequestsBottom);
        }

        svg.AddArea("served", [.. sums.Select(sum => (_time.At(sum.Seconds), requests.At(sum.Served)))], RequestsBottom);
    }

    private void DrawKill(long limitBytes)
    {
        if (run.KilledSeconds is { } seconds)
        {
            (double x, double y) = (_time.At(seconds), bytes.At(limitBytes));
            svg.AddPath("end-mark", $"M{x - 6:0.##} {y - 6:0.#}l12 12m0 -12l-12 12");
        }
    }

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
