using PixelPool.Stress.Drawing;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>
/// A row for each workload: throughput to the left, 99th percentile to the right, both against the number of threads. All axes are logarithmic,
/// each as long as its figures need.
/// </summary>
internal sealed class ThreadChart
{
    private const int Width = 960;
    private const int Left = 84;
    private const int Top = 132;
    private const int PanelWidth = 380;
    private const int PanelHeight = 190;
    private const int ColumnDistance = 466;
    private const int RowDistance = 276;
    private const int Inset = 16;

    private readonly SvgDocument _svg;
    private readonly IReadOnlyList<ThreadResult> _results;

    private ThreadChart(IReadOnlyList<ThreadResult> results)
    {
        _results = results;
        int height = Top + (RentWorkload.All.Count * RowDistance) - 26;
        _svg = new SvgDocument(Width, height, "Rent and return against the number of threads", SeriesStyle.Css);
        DrawHeading();
        for (int row = 0; row < RentWorkload.All.Count; row++)
        {
            RentWorkload workload = RentWorkload.All[row];
            int top = Top + (row * RowDistance);
            DrawPanel(workload, "rents per second", point => point.RentsPerSecond, PerSecond, Left, top);
            DrawPanel(workload, "99th percentile", point => point.P99, Nanoseconds, Left + ColumnDistance, top);
        }
    }

    public static void Save(string path, IReadOnlyList<ThreadResult> results) => new ThreadChart(results)._svg.Save(path);

    private void DrawHeading()
    {
        _svg.AddText(Left, 44, "heading", "Rent and return against the number of threads");
        int x = Left;
        for (int i = 0; i < RentContender.All.Count; i++)
        {
            string title = RentContender.All[i].Title;
            _svg.Add($"""<path class="series s{i}" d="M{x} 72h26"/>{SeriesStyle.Marker(i, x + 13, 72)}""");
            _svg.AddText(x + 34, 76, "label", title);
            x += 64 + (title.Length * 7);
        }
    }

    private void DrawPanel(
        RentWorkload workload, string title, Func<ThreadPoint, double> value, Func<double, string> label, int left, int top)
    {
        int right = left + PanelWidth;
        int bottom = top + PanelHeight;
        double[] all = [.. _results.Where(result => result.Workload == workload).SelectMany(result => result.Points).Select(value)];
        var vertical = LogAxis.ForDecades(all.Min(), all.Max(), bottom, top);
        int[] counts = [.. _results[0].Points.Select(point => point.Threads)];
        var horizontal = new LogAxis(counts[0], counts[^1], left + Inset, right - Inset);

        _svg.Add($"""<text class="panel" x="{left}" y="{top - 14}">{workload.Title}: {title}</text>""");
        foreach (double mark in vertical.Decades())
        {
            double y = vertical.At(mark);
            _svg.Add($"""<path class="grid" d="M{left} {y:0.#}H{right}"/>""");
            _svg.AddText(left - 8, y + 4, "label end", label(mark));
        }

        _svg.Add($"""<path class="axis" d="M{left} {bottom}H{right}"/>""");
        foreach (int count in counts)
        {
            double x = horizontal.At(count);
            _svg.Add($"""<path class="axis" d="M{x:0.#} {bottom}v4"/>""");
            _svg.AddText(x, bottom + 18, "label middle", $"{count}");
        }

        double cores = horizontal.At(Environment.ProcessorCount);
        _svg.Add($"""<path class="moment" d="M{cores:0.#} {top}V{bottom}"/>""");
        _svg.AddText(right, bottom + 36, "note end", "threads (dotted line: as many as there are cores)");

        for (int i = 0; i < RentContender.All.Count; i++)
        {
            ThreadResult result = _results.First(result => result.Workload == workload && result.Contender == RentContender.All[i]);
            (double X, double Y)[] points = [.. result.Points.Select(point => (horizontal.At(point.Threads), vertical.At(value(point))))];
            _svg.AddLine($"series s{i}", points);
            foreach ((double x, double y) in points)
            {
                _svg.Add(SeriesStyle.Marker(i, x, y));
            }
        }
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
