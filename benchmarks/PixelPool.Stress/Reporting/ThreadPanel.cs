using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Stress.Reporting;

/// <summary>A panel of a chart: lines against the number of threads, whose axis is logarithmic.</summary>
/// <param name="Title">Above the panel.</param>
/// <param name="Threads">The numbers of threads.</param>
/// <param name="Lines">A line for each series, in the order of <see cref="SeriesStyle"/>: a value for each number of threads.</param>
internal sealed record ThreadPanel(string Title, IReadOnlyList<int> Threads, IReadOnlyList<IReadOnlyList<double>> Lines)
{
    private const int Inset = 16;

    public double Largest => Lines.Max(line => line.Max());

    public double Smallest => Lines.Min(line => line.Min());

    /// <param name="svg">Where it is drawn.</param>
    /// <param name="vertical">As long as the panel is high.</param>
    /// <param name="left">The left edge; the marks stand left of it.</param>
    /// <param name="right">The right edge.</param>
    public void Draw(SvgDrawing svg, Axis vertical, int left, int right)
    {
        var horizontal = new LogAxis([.. Threads.Select(count => (double)count)], left + Inset, right - Inset, count => $"{count}");
        svg.AddText("panel", left, vertical.End - 14, Title);
        var frame = new PlotFrame(svg, horizontal, vertical, left, right);
        frame.DrawGrid();
        frame.DrawScale();
        frame.DrawTicks();
        svg.AddPath("moment", $"M{horizontal.At(Environment.ProcessorCount):0.#} {vertical.End:0.#}V{vertical.Start:0.#}");
        svg.AddText("note end", right, vertical.Start + 38, "threads (dotted line: as many as there are cores)");
        for (int i = 0; i < Lines.Count; i++)
        {
            (double X, double Y)[] points = [.. Threads.Zip(Lines[i], (count, value) => (horizontal.At(count), vertical.At(value)))];
            svg.AddLine(SeriesStyle.Line(i), points);
            foreach ((double x, double y) in points)
            {
                SeriesStyle.DrawMark(svg, i, x, y);
            }
        }
    }
}
