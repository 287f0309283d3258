using PixelPool.Diagnostics.Drawing;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>
/// A row for each workload: throughput to the left, 99th percentile to the right, both against the number of threads. All axes are logarithmic,
/// each as long as its figures need.
/// </summary>
internal sealed class ThreadChart
{
    private const int Width = 960;
    private const int Left = 84;
    private const int Top = 158;
    private const int PanelWidth = 380;
    private const int PanelHeight = 190;
    private const int ColumnDistance = 466;
    private const int RowDistance = 276;
    private const string Heading = "Rent and return against the number of threads";

    private readonly SvgDrawing _svg;
    private readonly IReadOnlyList<ThreadResult> _results;

    private ThreadChart(TextWriter writer, IReadOnlyList<ThreadResult> results)
    {
        _results = results;
        var style = new StyleSheet("pixelpool-threads");
        SeriesStyle.AddTo(style);
        _svg = new SvgDrawing(writer, style, Width, Top + (RentWorkload.All.Count * RowDistance) - 26, Heading);
        DrawHeading();
        for (int row = 0; row < RentWorkload.All.Count; row++)
        {
            RentWorkload workload = RentWorkload.All[row];
            int top = Top + (row * RowDistance);
            DrawPanel(workload, "rents per second", point => point.RentsPerSecond, PerSecond, Left, top);
            DrawPanel(workload, "99th percentile", point => point.P99, Nanoseconds, Left + ColumnDistance, top);
        }

        _svg.End();
    }

    public static void Save(string path, IReadOnlyList<ThreadResult> results)
    {
        using StreamWriter writer = File.CreateText(path);
        _ = new ThreadChart(writer, results);
    }

    private void DrawHeading()
    {
        _svg.AddText("heading", Left, 44, Heading);
        var legend = new Legend(Left, Width);
        for (int i = 0; i < RentContender.All.Count; i++)
        {
            legend.Add(SeriesStyle.Symbol(i), RentContender.All[i].Title);
        }

        legend.Draw(_svg, 76);
    }

    private void DrawPanel(
        RentWorkload workload, string title, Func<ThreadPoint, double> value, Func<double, string> label, int left, int top)
    {
        ThreadResult[] results = [.. _results.Where(result => result.Workload == workload)];
        var panel = new ThreadPanel(
            $"{workload.Title}: {title}",
            [.. results[0].Points.Select(point => point.Threads)],
            [.. results.Select(result => (double[])[.. result.Points.Select(value)])]);
        panel.Draw(_svg, LogAxis.ForDecades(panel.Smallest, panel.Largest, top + PanelHeight, top, label), left, left + PanelWidth);
    }

    private static string PerSecond(double value) => value switch
    {
        >= 1e6 => $"{value / 1e6:#,0} M",
        >= 1e3 => $"{value / 1e3:0} k",
        _ => $"{value:0}",
    };

    private static string Nanoseconds(double value) => value switch
    {
        >= 1e9 => $"{value / 1e9:0} s",
        >= 1e6 => $"{value / 1e6:0} ms",
        >= 1e3 => $"{value / 1e3:0} µs",
        _ => $"{value:0} ns",
    };
}
