using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Stress.Bursts;

/// <summary>Memory over time: a panel for each contender, two beside each other, all with the same axes.</summary>
internal sealed class BurstChart
{
    private const int Columns = 2;
    private const int Width = 960;
    private const int Left = 74;
    private const int Top = 126;
    private const int PanelWidth = 390;
    private const int PanelHeight = 176;
    private const int ColumnDistance = 462;
    private const int RowDistance = 240;
    private const int MaxTimeMarks = 6;
    private const string Heading = "Memory in bursts and pauses";

    private readonly SvgDrawing _svg;
    private readonly TimeSpan _duration;
    private readonly long _highest;

    private BurstChart(TextWriter writer, IReadOnlyList<(BurstContender Contender, BurstResult Result)> results)
    {
        BurstSample[] samples = [.. results.SelectMany(result => result.Result.Samples)];
        _duration = TimeSpan.FromSeconds(samples.Max(sample => sample.Seconds));
        _highest = samples.Max(sample => Math.Max(sample.Resident, Math.Max(sample.Rented + sample.Idle, sample.Managed)));

        int rows = (results.Count + Columns - 1) / Columns;
        _svg = new SvgDrawing(writer, Style(), Width, Top + (rows * RowDistance) - 10, Heading);
        DrawHeading();
        for (int i = 0; i < results.Count; i++)
        {
            DrawPanel(results[i].Contender.Title, results[i].Result, Left + (i % Columns * ColumnDistance), Top + (i / Columns * RowDistance));
        }

        _svg.End();
    }

    public static void Save(string path, IReadOnlyList<(BurstContender Contender, BurstResult Result)> results)
    {
        using StreamWriter writer = File.CreateText(path);
        _ = new BurstChart(writer, results);
    }

    private static StyleSheet Style() => new StyleSheet("pixelpool-bursts")
        .Fill("rented", Colour.Blue)
        .Fill("idle", Colour.PaleBlue)
        .Fill("burst", Colour.Shade)
        .Line("resident", Colour.Orange, "stroke-width: 2; stroke-linejoin: round;")
        .Line("managed", Colour.Violet, "stroke-width: 1.5; stroke-dasharray: 5 3;");

    private void DrawHeading()
    {
        _svg.AddText("heading", Left, 44, Heading);
        var legend = new Legend(Left, Width);
        legend.AddLine("resident", "resident (the kernel's count)");
        legend.AddArea("rented", "rented");
        legend.AddArea("idle", "idle (only PixelPool tells)");
        legend.AddLine("managed", "managed heap");
        legend.AddArea("burst axis", "a burst");
        legend.Draw(_svg, 76);
    }

    private void DrawPanel(string title, BurstResult result, int left, int top)
    {
        int right = left + PanelWidth;
        int bottom = top + PanelHeight;
        var time = LinearAxis.ForTime(_duration, left, right, MaxTimeMarks);
        var bytes = LinearAxis.ForBytes(_highest, bottom, top);
        _svg.AddText("panel", left, top - 12, title);
        foreach (BurstRound round in result.Rounds)
        {
            double start = time.At(round.Start);
            _svg.AddRectangle("burst", start, top, time.At(round.Returned) - start, PanelHeight);
        }

        var frame = new PlotFrame(_svg, time, bytes, left, right);
        frame.DrawGrid();
        frame.DrawScale();
        frame.DrawTicks();
        _svg.AddArea("idle", Points(sample => sample.Rented + sample.Idle), bottom);
        _svg.AddArea("rented", Points(sample => sample.Rented), bottom);
        _svg.AddLine("managed", Points(sample => sample.Managed));
        _svg.AddLine("resident", Points(sample => sample.Resident));

        (double X, double Y)[] Points(Func<BurstSample, long> value) => [.. result.Samples.Select(sample => (time.At(sample.Seconds), bytes.At(value(sample))))];
    }
}
