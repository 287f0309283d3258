namespace PixelPool.Diagnostics.Drawing;

/// <summary>Draws a recording as SVG: areas of what is rented and idle, a line of what is resident, and what happened meanwhile.</summary>
internal sealed class MemoryChart
{
    private const int MaxHeadingLength = 72;
    private const int MaxSubtitleLength = 124;

    private readonly MemoryRecording _recording;
    private readonly IReadOnlyList<MemorySample> _samples;
    private readonly ChartLayout _layout;
    private readonly TextWriter _svg;

    private MemoryChart(MemoryRecording recording, TextWriter svg)
    {
        _recording = recording;
        _samples = recording.Samples;
        _layout = new ChartLayout(recording);
        _svg = svg;
    }

    private bool HasPool => _recording.AllocatorName is not null;

    public static void Draw(MemoryRecording recording, TextWriter svg, string? title, string? subtitle)
    {
        string summary = new RecordingSummary(recording).Text;
        title ??= recording.AllocatorName is { } name ? $"Memory over time: {name}" : "Resident memory over time";

        // The recorder always takes one; a chart of nothing is a chart of a moment in which there was nothing.
        if (recording.Samples.Count == 0)
        {
            recording = new MemoryRecording(recording.AllocatorName, [default], recording.Moments);
        }

        new MemoryChart(recording, svg).Draw(title, subtitle ?? summary, summary);
    }

    private void Draw(string title, string subtitle, string summary)
    {
        Add($"""<svg xmlns="http://www.w3.org/2000/svg" class="{ChartStyle.Root}" viewBox="0 0 {ChartLayout.Width} {_layout.Height}" """);
        AddLine($"""width="{ChartLayout.Width}" height="{_layout.Height}" role="img">""");
        AddLine($"<title>{SvgText.Escape(title)}</title>");
        AddLine($"<desc>{SvgText.Escape(summary)}</desc>");
        AddLine($"<style>{ChartStyle.Css}</style>");
        AddLine($"""<rect class="card" x="0.5" y="0.5" width="{ChartLayout.Width - 1}" height="{_layout.Height - 1}" rx="12"/>""");
        AddText("heading", ChartLayout.Left, ChartLayout.HeadingY, SvgText.Shorten(title, MaxHeadingLength));
        AddText("muted", ChartLayout.Left, ChartLayout.SubtitleY, SvgText.Shorten(subtitle, MaxSubtitleLength));
        DrawLegend();
        DrawAxes();
        DrawWaitBands();
        DrawMemory();
        DrawMoments();
        for (int lane = 0; lane < _layout.Marks.Count; lane++)
        {
            foreach (ChartMark mark in _layout.Marks[lane])
            {
                DrawMark(mark, _layout.MarkY(lane));
            }
        }

        DrawPeakAndEnd();
        AddLine($"</svg>");
    }

    private void DrawLegend()
    {
        foreach ((string symbol, string text, double x, int row) in _layout.Legend.Entries)
        {
            AddLine($"""<g transform="translate({x} {_layout.LegendY(row)})">{symbol}<text class="label" x="30">{SvgText.Escape(text)}</text></g>""");
        }
    }

    private void DrawAxes()
    {
        foreach ((double y, string label) in _layout.Bytes.Marks())
        {
            AddLine($"""<path class="{(y == _layout.Bottom ? "axis" : "grid")}" d="M{ChartLayout.Left} {y:0.#}H{ChartLayout.Right}"/>""");
            AddText("label end", ChartLayout.Left - 8, y + 4, label);
        }

        foreach ((double x, string label) in _layout.Time.Marks())
        {
            AddLine($"""<path class="axis" d="M{x:0.#} {_layout.Bottom}v5"/>""");
            AddText("label middle", x, _layout.Bottom + 21, label);
        }

        for (int row = 0; row < _layout.Notes.Count; row++)
        {
            AddText("note", ChartLayout.Left, _layout.NoteY(row), _layout.Notes[row]);
        }
    }

    // Behind the areas: over them their colours would mean something else.
    private void DrawWaitBands()
    {
        for (int lane = 0; lane < _layout.Marks.Count; lane++)
        {
            foreach (ChartMark mark in _layout.Marks[lane].Where(static mark => mark.Kind == MarkKind.Wait))
            {
                (double x, double width) = Extent(mark);
                AddLine($"""<rect class="wait-band" x="{x:0.#}" y="{_layout.MarkY(lane)}" width="{width:0.#}" height="{_layout.Bottom - _layout.MarkY(lane)}"/>""");
            }
        }
    }

    private void DrawMemory()
    {
        if (HasPool)
        {
            AddLine($"""<path class="idle" d="{ChartLine.Area(_samples, _layout.Time, _layout.Bytes, static sample => sample.HeldBytes)}"/>""");
            AddLine($"""<path class="rented" d="{ChartLine.Area(_samples, _layout.Time, _layout.Bytes, static sample => sample.Pool.RentedBytes)}"/>""");
        }

        if (_layout.ShowsBudget)
        {
            AddLine($"""<path class="budget" d="M{ChartLayout.Left} {_layout.Bytes.At(_layout.Budget!.Value):0.#}H{ChartLayout.Right}"/>""");
        }

        AddLine($"""<path class="resident" d="{ChartLine.Along(_samples, _layout.Time, _layout.Bytes, static sample => sample.ResidentBytes)}"/>""");
    }

    private void DrawMoments()
    {
        foreach (MomentLabel label in _layout.Moments)
        {
            double top = label.Lane < 0 ? _layout.Top : _layout.MomentY(label.Lane) - 10;
            AddLine($"""<g><title>{SvgText.Escape($"{HumanTime.Format(label.Moment.Sample.Elapsed)}: {label.Moment.Name}")}</title>""");
            AddLine($"""<path class="moment" d="M{label.X:0.#} {top:0.#}V{_layout.Bottom}"/>""");
            if (label.Lane >= 0)
            {
                double x = label.EndsAtLine ? label.X - MomentLabel.Gap : label.X + MomentLabel.Gap;
                AddText(label.EndsAtLine ? "label over end" : "label over", x, _layout.MomentY(label.Lane), label.Text);
            }

            AddLine($"</g>");
        }
    }

    private void DrawMark(in ChartMark mark, int y)
    {
        (double x, double width) = Extent(mark);
        AddLine($"<g><title>{SvgText.Escape(mark.ToString())}</title>");
        switch (mark.Kind)
        {
            case MarkKind.Trim:
                AddLine($"""<path class="trim-line" d="M{x:0.#} {y}V{_layout.Bottom}"/><path class="trim" d="M{x - 6:0.#} {y - 5}h12l-6 10z"/>""");
                break;
            case MarkKind.Wait:
                AddLine($"""<rect class="wait" x="{x:0.#}" y="{y - 4}" width="{width:0.#}" height="7" rx="3.5"/>""");
                break;
            default:
                AddLine($"""<path class="leak-line" d="M{x:0.#} {y}V{_layout.Bottom}"/><path class="leak" d="M{x - 4:0.#} {y - 4}l8 8m0 -8l-8 8"/>""");
                break;
        }

        AddLine($"</g>");
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
        long highest = _samples.Max(static sample => sample.ResidentBytes);
        MemorySample peak = _samples.First(sample => _layout.Bytes.At(sample.ResidentBytes) - _layout.Bytes.At(highest) < 0.5);
        MemorySample last = _samples[_samples.Count - 1];
        if (peak != last)
        {
            double x = DrawDot(peak, out double y);
            AddText("value over middle", Math.Max(x, ChartLayout.Left + 44), y - 9, $"peak {ByteSize.FormatRounded(highest)}");
        }

        AddText("value", DrawDot(last, out double end) + 11, end + 4, ByteSize.FormatRounded(last.ResidentBytes));
    }

    private double DrawDot(in MemorySample sample, out double y)
    {
        double x = _layout.Time.At(sample.Elapsed.TotalSeconds);
        y = _layout.Bytes.At(sample.ResidentBytes);
        AddLine($"""<circle class="dot" cx="{x:0.#}" cy="{y:0.#}" r="4"/>""");
        return x;
    }

    private void AddText(string classes, double x, double y, string text) =>
        AddLine($"""<text class="{classes}" x="{x:0.#}" y="{y:0.#}">{SvgText.Escape(text)}</text>""");

    private void Add(FormattableString text) => _svg.Write(FormattableString.Invariant(text));

    private void AddLine(FormattableString text)
    {
        Add(text);
        _svg.Write('\n');
    }
}
