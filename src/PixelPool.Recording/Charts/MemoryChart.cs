using PixelPool.Diagnostics.Drawing;
using PixelPool.Diagnostics.Text;

namespace PixelPool.Diagnostics.Charts;

/// <summary>Draws a recording as SVG: areas of what is rented and idle, a line of what is resident, and what happened meanwhile.</summary>
internal sealed class MemoryChart
{
    private const int MaxHeadingLength = 72;
    private const int MaxSubtitleLength = 124;

    private readonly MemoryTimeline _timeline;
    private readonly ChartLayout _layout;
    private readonly SvgDrawing _svg;

    private MemoryChart(MemoryTimeline timeline, TextWriter writer, string title, string subtitle, string summary)
    {
        _timeline = timeline;
        _layout = new ChartLayout(timeline);
        _svg = new SvgDrawing(writer, MemoryStyle.Create(), ChartLayout.Width, _layout.Height, title, summary);
        _svg.AddText("heading", ChartLayout.Left, ChartLayout.HeadingY, SvgText.Shorten(title, MaxHeadingLength));
        _svg.AddText("muted", ChartLayout.Left, ChartLayout.SubtitleY, SvgText.Shorten(subtitle, MaxSubtitleLength));
        _layout.Legend.Draw(_svg, ChartLayout.LegendY);
    }

    /// <param name="timeline">What is drawn.</param>
    /// <param name="writer">Gets the drawing.</param>
    /// <param name="title">Null: one that names the allocator.</param>
    /// <param name="subtitle">Null: the figures that say most.</param>
    public static void Draw(MemoryTimeline timeline, TextWriter writer, string? title, string? subtitle)
    {
        string summary = new RecordingSummary(timeline).Text;
        title ??= timeline.AllocatorName is { } name ? $"Memory over time: {name}" : "Resident memory over time";

        // The recorder always takes one; a chart of nothing is a chart of a moment in which there was nothing.
        MemoryTimeline drawn = timeline.Samples.Count == 0 ? timeline with { Samples = [default] } : timeline;
        new MemoryChart(drawn, writer, title, subtitle ?? summary, summary).Draw();
    }

    private void Draw()
    {
        var frame = new PlotFrame(_svg, _layout.Time, _layout.Bytes, ChartLayout.Left, ChartLayout.Right);
        frame.DrawGrid();
        frame.DrawScale();
        frame.DrawTicks();
        for (int row = 0; row < _layout.Notes.Count; row++)
        {
            _svg.AddText("note", ChartLayout.Left, _layout.NoteY(row), _layout.Notes[row]);
        }

        DrawWaitBands();
        DrawMemory(frame);
        DrawMoments();
        for (int lane = 0; lane < _layout.Marks.Count; lane++)
        {
            foreach (ChartMark mark in _layout.Marks[lane])
            {
                DrawMark(mark, _layout.MarkY(lane));
            }
        }

        DrawPeakAndEnd();
        _svg.End();
    }

    // Behind the areas: over them their colours would mean something else.
    private void DrawWaitBands()
    {
        for (int lane = 0; lane < _layout.Marks.Count; lane++)
        {
            foreach (ChartMark mark in _layout.Marks[lane].Where(static mark => mark.Kind == MarkKind.Wait))
            {
                (double x, double width) = Extent(mark);
                _svg.AddRectangle("wait-band", x, _layout.MarkY(lane), width, _layout.Bottom - _layout.MarkY(lane));
            }
        }
    }

    private void DrawMemory(PlotFrame frame)
    {
        if (_timeline.HasPool)
        {
            _svg.AddArea("idle", Points(static sample => sample.HeldBytes), _layout.Bottom);
            _svg.AddArea("rented", Points(static sample => sample.Pool.RentedBytes), _layout.Bottom);
        }

        if (_layout.ShowsBudget)
        {
            frame.DrawLevel("budget", _layout.Budget!.Value);
        }

        _svg.AddLine("resident", Points(static sample => sample.ResidentBytes));
    }

    private void DrawMoments()
    {
        foreach (MomentLabel label in _layout.Moments)
        {
            double top = label.Lane < 0 ? _layout.Top : _layout.MomentY(label.Lane) - 10;
            _svg.BeginHint($"{HumanTime.Format(label.Moment.Sample.Elapsed)}: {label.Moment.Name}");
            _svg.AddPath("moment", $"M{label.X:0.#} {top:0.#}V{_layout.Bottom}");
            if (label.Lane >= 0)
            {
                double x = label.EndsAtLine ? label.X - MomentLabel.Gap : label.X + MomentLabel.Gap;
                _svg.AddText(label.EndsAtLine ? "label over end" : "label over", x, _layout.MomentY(label.Lane), label.Text);
            }

            _svg.EndHint();
        }
    }

    private void DrawMark(in ChartMark mark, int y)
    {
        (double x, double width) = Extent(mark);
        _svg.BeginHint(mark.ToString());
        switch (mark.Kind)
        {
            case MarkKind.Trim:
                _svg.AddPath("trim-line", $"M{x:0.#} {y}V{_layout.Bottom}");
                _svg.AddPath("trim", $"M{x - 6:0.#} {y - 5}h12l-6 10z");
                break;
            case MarkKind.Wait:
                _svg.AddRectangle("wait", x, y - 4, width, 7, radius: 3.5);
                break;
            default:
                _svg.AddPath("leak-line", $"M{x:0.#} {y}V{_layout.Bottom}");
                _svg.AddPath("leak", $"M{x - 4:0.#} {y - 4}l8 8m0 -8l-8 8");
                break;
        }

        _svg.EndHint();
    }

    // Wide enough to be seen, however short it was.
    private (double X, double Width) Extent(in ChartMark mark)
    {
        double x = _layout.Time.At(mark.First.Elapsed.TotalSeconds);
        return (x, Math.Max(_layout.Time.At(mark.Last.Elapsed.TotalSeconds) - x, 7));
    }

    private void DrawPeakAndEnd()
    {
        // The first one that nobody could tell from the highest.
        long highest = _timeline.Samples.Max(static sample => sample.ResidentBytes);
        MemorySample peak = _timeline.Samples.First(sample => _layout.Bytes.At(sample.ResidentBytes) - _layout.Bytes.At(highest) < 0.5);
        MemorySample last = _timeline.Samples[_timeline.Samples.Count - 1];
        if (peak != last)
        {
            (double x, double y) = DrawDot(peak);
            _svg.AddText("value over middle", Math.Max(x, ChartLayout.Left + 44), y - 9, $"peak {ByteSize.FormatRounded(highest)}");
        }

        (double end, double height) = DrawDot(last);
        _svg.AddText("value", end + 11, height + 4, ByteSize.FormatRounded(last.ResidentBytes));
    }

    private (double X, double Y) DrawDot(in MemorySample sample)
    {
        (double x, double y) = (_layout.Time.At(sample.Elapsed.TotalSeconds), _layout.Bytes.At(sample.ResidentBytes));
        _svg.AddDisc("dot", x, y, 4);
        return (x, y);
    }

    private List<(double X, double Y)> Points(Func<MemorySample, long> bytes) => PlotLine.Highest(
        _timeline.Samples.Select(sample => (_layout.Time.At(sample.Elapsed.TotalSeconds), _layout.Bytes.At(bytes(sample)))));
}
