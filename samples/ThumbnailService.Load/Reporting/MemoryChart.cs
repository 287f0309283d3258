using PixelPool.Diagnostics.Drawing;

namespace ThumbnailService.Load.Reporting;

/// <summary>A panel for each run in the limited container: memory over time under the limit, below it what became of the requests, and how it ended.</summary>
internal static class MemoryChart
{
    private const int Width = 960;
    private const int Height = 540;
    private const int Left = 82;
    private const int Gap = 26;
    private const int Margin = 30;
    private const int LegendY = 74;

    public static void Save(string path, IReadOnlyList<RunFigures> runs, long limitBytes)
    {
        using StreamWriter writer = File.CreateText(path);
        string heading = $"{runs[0].Parallelism} clients, {runs[0].Photos}, {limitBytes >> 20} MiB";
        var svg = new SvgDrawing(writer, RunPanel.Style(), Width, Height, heading);
        svg.AddText("heading", Margin, 44, heading);
        DrawLegend(svg, hasHeapLimit: runs.Any(run => run.ManagedHeapLimitBytes is not null));

        var bytes = LinearAxis.ForBytes(limitBytes, RunPanel.MemoryBottom, RunPanel.MemoryTop);
        double most = runs.Max(run => run.Requests);
        var requests = new LinearAxis(most, most / 2, RunPanel.RequestsBottom, RunPanel.RequestsTop, mark => $"{mark:0}");
        svg.Add($"""<text class="muted middle" transform="translate(22 {(RunPanel.RequestsTop + RunPanel.RequestsBottom) / 2}) rotate(-90)">requests</text>""");

        double panelWidth = (double)(Width - Left - (runs.Count * Gap)) / runs.Count;
        for (int i = 0; i < runs.Count; i++)
        {
            double left = Left + (i * (panelWidth + Gap));
            new RunPanel(svg, runs[i], bytes, requests, left, left + panelWidth).Draw(limitBytes, isFirst: i == 0);
        }

        svg.End();
    }

    private static void DrawLegend(SvgDrawing svg, bool hasHeapLimit)
    {
        var legend = new Legend(Margin, Width);
        legend.AddArea("charged", "memory charged to the container");
        legend.AddArea("served", "requests served so far");
        legend.AddArea("failed", "requests failed so far");
        if (hasHeapLimit)
        {
            legend.AddLine("heap-limit", "limit of the managed heap");
        }

        legend.Draw(svg, LegendY);
    }
}
