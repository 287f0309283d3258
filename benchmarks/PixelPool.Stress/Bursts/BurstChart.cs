using PixelPool.Stress.Drawing;

namespace PixelPool.Stress.Bursts;

/// <summary>Memory over time: a panel for each contender, two beside each other, all with the same axes.</summary>
internal sealed class BurstChart
{
    private const int Columns = 2;
    private const int Width = 960;
    private const int Left = 74;
    private const int Top = 126;
    private const int PanelWidth = 398;
    private const int PanelHeight = 176;
    private const int ColumnDistance = 458;
    private const int RowDistance = 250;
    private const double Mebibyte = 1 << 20;

    private const string Css =
        """
        .panel { fill: #1d2733; font-size: 14.5px; font-weight: 600; }
        .managed { stroke: #7c3aed; stroke-width: 1.5; stroke-dasharray: 5 3; fill: none; }
        .burst { fill: #f2f4f7; }
        @media (prefers-color-scheme: dark) {
          .panel { fill: #e8edf3; }
          .managed { stroke: #b79bff; }
          .burst { fill: #1b222c; }
        }

        """;

    private readonly SvgDocument _svg;
    private readonly double _seconds;
    private readonly double _mebibytes;

    private BurstChart(IReadOnlyList<(BurstContender Contender, BurstResult Result)> results)
    {
        IEnumerable<BurstSample> samples = results.SelectMany(result => result.Result.Samples);
        _seconds = samples.Max(sample => sample.Seconds);
        _mebibytes = 1.03 * samples.Max(sample => Math.Max(sample.Resident, Math.Max(sample.Rented + sample.Idle, sample.Managed))) / Mebibyte;

        int rows = (results.Count + Columns - 1) / Columns;
        _svg = new SvgDocument(Width, Top + (rows * RowDistance) - 10, "Memory over time in bursts and pauses", Css);
        DrawHeading();
        for (int i = 0; i < results.Count; i++)
        {
            DrawPanel(results[i].Contender.Title, results[i].Result, Left + (i % Columns * ColumnDistance), Top + (i / Columns * RowDistance));
        }
    }

    public static void Save(string path, IReadOnlyList<(BurstContender Contender, BurstResult Result)> results) =>
        new BurstChart(results)._svg.Save(path);

    private void DrawHeading()
    {
        _svg.AddText(Left, 44, "heading", "Memory in bursts and pauses");
        int x = Left;
        Entry("""<path class="resident" d="M0 -4H22"/>""", "resident (the kernel's count)", 222);
        Entry("""<rect class="rented" y="-10" width="22" height="12" rx="2"/>""", "rented", 92);
        Entry("""<rect class="idle" y="-10" width="22" height="12" rx="2"/>""", "idle (only PixelPool tells)", 198);
        Entry("""<path class="managed" d="M0 -4H22"/>""", "managed heap", 146);
        Entry("""<rect class="burst axis" y="-10" width="22" height="12" rx="2"/>""", "a burst", 92);

        void Entry(string symbol, string text, int width)
        {
            _svg.Add($"""<g transform="translate({x} 76)">{symbol}<text class="label" x="30">{text}</text></g>""");
            x += width;
        }
    }

    private void DrawPanel(string title, BurstResult result, int left, int top)
    {
        int right = left + PanelWidth;
        int bottom = top + PanelHeight;
        var seconds = Axis.ForSeconds(_seconds, left, right);
        var mebibytes = Axis.ForMebibytes(_mebibytes, bottom, top);
        _svg.AddText(left, top - 12, "panel", title);

        foreach (BurstRound round in result.Rounds)
        {
            double start = seconds.At(round.Start);
            _svg.Add($"""<rect class="burst" x="{start:0.#}" y="{top}" width="{seconds.At(round.Returned) - start:0.#}" height="{PanelHeight}"/>""");
        }

        foreach (double mark in mebibytes.Marks())
        {
            double y = mebibytes.At(mark);
            _svg.Add($"""<path class="{(mark == 0 ? "axis" : "grid")}" d="M{left} {y:0.#}H{right}"/>""");
            _svg.AddText(left - 8, y + 4, "label end", $"{mark:#,0}");
        }

        foreach (double mark in seconds.Marks())
        {
            double x = seconds.At(mark);
            _svg.Add($"""<path class="axis" d="M{x:0.#} {bottom}v4"/>""");
            _svg.AddText(x, bottom + 18, "label middle", $"{mark:0.#}");
        }

        _svg.AddText(right, bottom + 36, "note end", "seconds");
        _svg.AddText(left - 8, top - 12, "note end", "MiB");

        _svg.AddArea("rented", Points(sample => sample.Rented), Points(_ => 0));
        _svg.AddArea("idle", Points(sample => sample.Rented + sample.Idle), Points(sample => sample.Rented));
        _svg.AddLine("managed", Points(sample => sample.Managed));
        _svg.AddLine("resident", Points(sample => sample.Resident));

        IEnumerable<(double X, double Y)> Points(Func<BurstSample, long> bytes) =>
            result.Samples.Select(sample => (seconds.At(sample.Seconds), mebibytes.At(bytes(sample) / Mebibyte)));
    }
}
