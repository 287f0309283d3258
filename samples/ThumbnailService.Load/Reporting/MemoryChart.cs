using PixelPool.Stress.Drawing;
using ThumbnailService.Load.Watching;

namespace ThumbnailService.Load.Reporting;

/// <summary>A panel for each run in the limited container: memory over time under the limit, and how it ended.</summary>
internal sealed class MemoryChart
{
    private const int Width = 960;
    private const int Height = 400;
    private const int Left = 70;
    private const int Gap = 26;
    private const int Top = 122;
    private const int Bottom = Height - 64;
    private const double Mebibyte = 1 << 20;

    /// <summary>More points than a panel has pixels say nothing.</summary>
    private const int MaxPoints = 300;

    private const string Css =
        """
        .panel { fill: #1d2733; font-size: 14.5px; font-weight: 600; }
        .charged { fill: #a9cdf0; }
        .charged-line { stroke: #2f7dd1; stroke-width: 1.5; stroke-linejoin: round; fill: none; }
        .limit { stroke: #c2410c; stroke-width: 1.5; fill: none; }
        .limit-text { fill: #c2410c; font-size: 12px; }
        .end-mark { stroke: #c2410c; stroke-width: 2.5; fill: none; }
        @media (prefers-color-scheme: dark) {
          .panel { fill: #e8edf3; }
          .charged { fill: #24486d; }
          .charged-line { stroke: #62abf5; }
          .limit, .end-mark { stroke: #fb923c; }
          .limit-text { fill: #fb923c; }
        }

        """;

    private readonly SvgDocument _svg;
    private readonly Axis _mebibytes;
    private readonly double _panelWidth;
    private readonly long _limitBytes;

    private MemoryChart(IReadOnlyList<RunFigures> runs, long limitBytes)
    {
        _limitBytes = limitBytes;
        _mebibytes = Axis.ForMebibytes(1.1 * limitBytes / Mebibyte, Bottom, Top);
        _panelWidth = (double)(Width - Left - (runs.Count * Gap)) / runs.Count;
        string heading = $"{runs[0].Parallelism} clients, {runs[0].Photos}, {limitBytes / Mebibyte:0} MiB";
        _svg = new SvgDocument(Width, Height, heading, Css);
        _svg.AddText(30, 44, "heading", heading);
        foreach (double mark in _mebibytes.Marks())
        {
            _svg.AddText(Left - 10, _mebibytes.At(mark) + 4, "label end", $"{mark:0}");
        }

        _svg.Add($"""<text class="muted middle" transform="translate(22 {(Top + Bottom) / 2}) rotate(-90)">MiB</text>""");
        for (int i = 0; i < runs.Count; i++)
        {
            DrawPanel(runs[i], Left + (i * (_panelWidth + Gap)));
        }
    }

    public static void Save(string path, IReadOnlyList<RunFigures> runs, long limitBytes) => new MemoryChart(runs, limitBytes)._svg.Save(path);

    private void DrawPanel(RunFigures run, double left)
    {
        double right = left + _panelWidth;
        var seconds = Axis.ForSeconds(run.Samples[^1].Seconds, left, right);
        _svg.AddText(left, Top - 38, "panel", run.Title);
        _svg.AddText(left, Top - 18, "muted", Outcome(run));
        foreach (double mark in _mebibytes.Marks())
        {
            _svg.Add($"""<path class="{(mark == 0 ? "axis" : "grid")}" d="M{left:0.#} {_mebibytes.At(mark):0.#}H{right:0.#}"/>""");
        }

        // An axis of a few seconds has room for few marks.
        double[] marks = [.. seconds.Marks()];
        foreach (double mark in marks.Where((_, i) => i % ((marks.Length + 3) / 4) == 0))
        {
            _svg.Add($"""<path class="axis" d="M{seconds.At(mark):0.#} {Bottom}v5"/>""");
            _svg.AddText(seconds.At(mark), Bottom + 20, "label middle", $"{mark:0.#}");
        }

        _svg.AddText((left + right) / 2, Bottom + 42, "note middle", "seconds");
        DrawMemory(run, seconds);
        DrawLimit(left, right);
    }

    private void DrawMemory(RunFigures run, Axis seconds)
    {
        MemorySample[] samples = [.. Highest(run.Samples)];
        (double X, double Y)[] line = [.. samples.Select(sample => (seconds.At(sample.Seconds), _mebibytes.At(sample.GroupBytes / Mebibyte)))];
        _svg.AddArea("charged", line, line.Select(point => (point.X, (double)Bottom)));
        _svg.AddLine("charged-line", line);
        if (run.Kills > 0)
        {
            double x = Math.Min(seconds.At(samples.MaxBy(sample => sample.GroupBytes).Seconds), seconds.At(run.Samples[^1].Seconds) - 8);
            double y = _mebibytes.At(_limitBytes / Mebibyte);
            _svg.Add($"""<path class="end-mark" d="M{x - 6:0.#} {y - 6:0.#}l12 12m0 -12l-12 12"/>""");
        }
    }

    private void DrawLimit(double left, double right)
    {
        double y = _mebibytes.At(_limitBytes / Mebibyte);
        _svg.Add($"""<path class="limit" d="M{left:0.#} {y:0.#}H{right:0.#}"/>""");
        _svg.AddText(left + 4, y - 6, "limit-text", "limit");
    }

    private static string Outcome(RunFigures run) =>
        $"{run.Served} of {run.Requests} served"
        + (run.Kills > 0 ? $", killed after {run.Seconds:0.0} s" : run.Failed > 0 ? $", {run.Failed} failed" : string.Empty);

    /// <summary>The highest sample of each stretch: a peak is never left out.</summary>
    private static IEnumerable<MemorySample> Highest(IReadOnlyList<MemorySample> samples) =>
        samples.Chunk((samples.Count + MaxPoints - 1) / MaxPoints).Select(stretch => stretch.MaxBy(sample => sample.GroupBytes));
}
