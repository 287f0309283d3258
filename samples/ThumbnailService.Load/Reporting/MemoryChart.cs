using PixelPool.Stress.Drawing;

namespace ThumbnailService.Load.Reporting;

/// <summary>A panel for each run in the limited container: memory over time under the limit, below it what became of the requests, and how it ended.</summary>
internal sealed class MemoryChart
{
    private const int Width = 960;
    private const int Height = 556;
    private const int Left = 70;
    private const int Gap = 26;
    private const double Mebibyte = 1 << 20;

    private readonly SvgDocument _svg;

    private MemoryChart(IReadOnlyList<RunFigures> runs, long limitBytes)
    {
        string heading = $"{runs[0].Parallelism} clients, {runs[0].Photos}, {limitBytes / Mebibyte:0} MiB";
        _svg = new SvgDocument(Width, Height, heading, RunPanel.Css);
        _svg.AddText(30, 44, "heading", heading);
        DrawLegend(hasHeapLimit: runs.Any(run => run.ManagedHeapLimitBytes is not null));

        var mebibytes = Axis.ForMebibytes(1.1 * limitBytes / Mebibyte, RunPanel.MemoryBottom, RunPanel.MemoryTop);
        double most = runs.Max(run => run.Requests);
        var requests = new Axis(most, most / 2, RunPanel.RequestsBottom, RunPanel.RequestsTop);
        DrawScale(mebibytes, "MiB", RunPanel.MemoryTop, RunPanel.MemoryBottom);
        DrawScale(requests, "requests", RunPanel.RequestsTop, RunPanel.RequestsBottom);

        double panelWidth = (double)(Width - Left - (runs.Count * Gap)) / runs.Count;
        for (int i = 0; i < runs.Count; i++)
        {
            double left = Left + (i * (panelWidth + Gap));
            new RunPanel(_svg, runs[i], mebibytes, requests, left, left + panelWidth).Draw(limitBytes);
        }
    }

    public static void Save(string path, IReadOnlyList<RunFigures> runs, long limitBytes) => new MemoryChart(runs, limitBytes)._svg.Save(path);

    private void DrawLegend(bool hasHeapLimit)
    {
        double x = 30;
        foreach ((string area, string name) in ((string, string)[])
            [("charged", "memory charged to the container"), ("served", "requests served so far"), ("failed", "requests failed so far")])
        {
            _svg.Add($"""<rect class="{area}" x="{x:0.#}" y="62" width="12" height="12" rx="2"/>""");
            _svg.AddText(x + 18, 73, "muted", name);
            x += 40 + (name.Length * 7.4);
        }

        if (hasHeapLimit)
        {
            _svg.Add($"""<path class="heap-limit" d="M{x:0.#} 68h20"/>""");
            _svg.AddText(x + 26, 73, "muted", "limit of the managed heap");
        }
    }

    private void DrawScale(Axis axis, string unit, int top, int bottom)
    {
        foreach (double mark in axis.Marks())
        {
            _svg.AddText(Left - 10, axis.At(mark) + 4, "label end", $"{mark:0}");
        }

        _svg.Add($"""<text class="muted middle" transform="translate(22 {(top + bottom) / 2}) rotate(-90)">{unit}</text>""");
    }
}
