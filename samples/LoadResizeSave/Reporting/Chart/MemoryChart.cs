using System.Globalization;
using System.Text;

namespace LoadResizeSave.Reporting.Chart;

/// <summary>Draws memory over time: what is rented, what is idle, and what the kernel counts as resident.</summary>
internal sealed class MemoryChart
{
    private const int Width = 960;
    private const int Height = 540;
    private const int Left = 78;
    private const int Right = Width - 30;
    private const int Top = 122;
    private const int Bottom = Height - 88;

    private readonly RunResult _result;
    private readonly IReadOnlyList<MemorySample> _samples;
    private readonly Axis _seconds;
    private readonly Axis _mebibytes;
    private readonly StringBuilder _svg = new();

    private MemoryChart(RunResult result)
    {
        _result = result;
        _samples = result.History.Samples;
        long highest = _samples.Max(sample => Math.Max(sample.Resident, sample.Rented + sample.Idle));
        _mebibytes = Axis.ForMebibytes(1.05 * highest / ByteSize.Mebibyte, Bottom, Top);
        _seconds = Axis.ForSeconds(_samples[^1].At.TotalSeconds, Left, Right);
    }

    public static void Save(RunResult result) => File.WriteAllText(result.ChartPath, new MemoryChart(result).Draw());

    private string Draw()
    {
        Add($"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {Width} {Height}" width="{Width}" height="{Height}" role="img">""");
        Add($"<title>Memory while making {_result.Totals.Thumbnails} thumbnails with {AllocatorName}</title>");
        Add($"<style>{ChartStyle.Css}</style>");
        Add($"""<rect class="card" x="0.5" y="0.5" width="{Width - 1}" height="{Height - 1}" rx="12"/>""");
        DrawHeading();
        DrawAxes();
        DrawMemory();
        DrawMarks();
        Add($"</svg>");
        return _svg.ToString();
    }

    private string AllocatorName => _result.Settings.Allocator.ToString().ToLowerInvariant();

    private string Note => _result.History.HasPool
        ? "Between the areas and the line lies everything else: the .NET runtime, and what malloc keeps of the JPEG decoder’s own memory."
        : "The line is the whole process: images, the .NET runtime, and what malloc keeps of the JPEG decoder’s own memory.";

    private void DrawHeading()
    {
        Add($"""<text class="heading" x="{Left}" y="44">Memory over time, allocator {AllocatorName}</text>""");
        Add($"""<text class="muted" x="{Left}" y="68">""");
        Add($"{_result.Totals.Thumbnails} photos, {_result.Totals.Pixels / 1e6:0} megapixels, ");
        Add($"{_result.Settings.Parallelism} at a time, {_result.MegapixelsPerSecond:0} MP/s</text>");

        int x = Left;
        Entry("""<path class="resident" d="M0 -4H22"/>""", "resident (the kernel's count)", 232);
        if (_result.History.HasPool)
        {
            Entry("""<rect class="rented" y="-10" width="22" height="12" rx="2"/>""", "rented", 96);
            Entry("""<rect class="idle" y="-10" width="22" height="12" rx="2"/>""", "idle in the pool", 144);
            Entry("""<path class="trim" d="M5 -10H17L11 1Z"/>""", "given back to the system", 200);
        }

        void Entry(string symbol, string text, int width)
        {
            Add($"""<g transform="translate({x} 100)">{symbol}<text class="label" x="30">{text}</text></g>""");
            x += width;
        }
    }

    private void DrawAxes()
    {
        foreach (double mark in _mebibytes.Marks())
        {
            double y = _mebibytes.At(mark);
            Add($"""<path class="{(mark == 0 ? "axis" : "grid")}" d="M{Left} {y:0.#}H{Right}"/>""");
            Add($"""<text class="label end" x="{Left - 10}" y="{y + 4:0.#}">{mark:0}</text>""");
        }

        foreach (double mark in _seconds.Marks())
        {
            double x = _seconds.At(mark);
            Add($"""<path class="axis" d="M{x:0.#} {Bottom}v5"/>""");
            Add($"""<text class="label middle" x="{x:0.#}" y="{Bottom + 21}">{mark:0.#}</text>""");
        }

        Add($"""<text class="muted middle" x="{(Left + Right) / 2}" y="{Bottom + 46}">seconds</text>""");
        Add($"""<text class="note" x="{Left}" y="{Height - 18}">{Note}</text>""");
        Add($"""<text class="muted middle" transform="translate(24 {(Top + Bottom) / 2}) rotate(-90)">MiB</text>""");
    }

    private void DrawMemory()
    {
        if (_result.History.HasPool)
        {
            Add($"""<path class="rented" d="{SvgPath.Area(_samples, _seconds, _mebibytes, s => s.Rented, _ => 0)}"/>""");
            Add($"""<path class="idle" d="{SvgPath.Area(_samples, _seconds, _mebibytes, s => s.Rented + s.Idle, s => s.Rented)}"/>""");
        }

        Add($"""<path class="resident" d="{SvgPath.Line(_samples, _seconds, _mebibytes, s => s.Resident)}"/>""");
    }

    private void DrawMarks()
    {
        // Moments may lie close together: each label stands lower than the one before, and to the left of its line.
        int labelY = Top + 14;
        foreach (Moment moment in _result.History.Moments)
        {
            double x = _seconds.At(moment.At.TotalSeconds);
            Add($"""<path class="moment" d="M{x:0.#} {Top}V{Bottom}"/>""");
            Add($"""<text class="label over end" x="{x - 6:0.#}" y="{labelY}">{moment.Name}</text>""");
            labelY += 17;
        }

        foreach (TrimMark mark in TrimMark.Find(_samples, _seconds))
        {
            Add($"<g><title>{ByteSize.Text(mark.Bytes)} given back</title>");
            Add($"""<path class="trim-line" d="M{mark.X:0.#} {Top}V{Bottom}"/>""");
            Add($"""<path class="trim" d="M{mark.X - 6:0.#} {Top - 6}h12l-6 11Z"/></g>""");
        }
    }

    private void Add(FormattableString line) => _svg.AppendLine(line.ToString(CultureInfo.InvariantCulture));
}
