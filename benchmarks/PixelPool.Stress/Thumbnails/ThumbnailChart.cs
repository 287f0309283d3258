using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Stress.Thumbnails;

/// <summary>A group of bars for each parallelism: how far resident memory rose, and how far it fell again at the end.</summary>
internal sealed class ThumbnailChart
{
    private const int Width = 960;
    private const int Left = 232;
    private const int Right = Width - 70;
    private const int Top = 104;
    private const int Margin = 30;
    private const int BarHeight = 14;
    private const int BarDistance = 26;
    private const int GroupDistance = 34;
    private const double Mebibyte = 1 << 20;
    private const string Heading = "Resident memory while making thumbnails";

    private readonly SvgDrawing _svg;
    private readonly LinearAxis _bytes;

    private ThumbnailChart(TextWriter writer, IReadOnlyList<ThumbnailResult> results, int[] parallelisms)
    {
        int bottom = Top + (parallelisms.Length * GroupDistance) + (results.Count * BarDistance);
        StyleSheet style = new StyleSheet("pixelpool-thumbnails").Fill("peak", Colour.PaleBlue).Fill("final", Colour.Blue);
        _svg = new SvgDrawing(writer, style, Width, bottom + 44, Heading);
        _svg.AddText("heading", Margin, 44, Heading);
        var legend = new Legend(Margin, Right);
        legend.AddArea("peak", "peak");
        legend.AddArea("final", "final: after giving back what was idle");
        legend.Draw(_svg, 75);
        _bytes = LinearAxis.ForBytes((long)(results.Max(result => result.PeakMebibytes) * Mebibyte), Left, Right);
        DrawAxis(bottom);

        double y = Top;
        foreach (int parallelism in parallelisms)
        {
            y += GroupDistance;
            _svg.AddText("panel", Margin, y - 10, parallelism == 1 ? "one photo at a time" : $"{parallelism} photos at a time");
            foreach (ThumbnailResult result in results.Where(result => result.Parallelism == parallelism))
            {
                DrawBars(result, y);
                y += BarDistance;
            }
        }

        _svg.End();
    }

    public static void Save(string path, IReadOnlyList<ThumbnailResult> results, int[] parallelisms)
    {
        using StreamWriter writer = File.CreateText(path);
        _ = new ThumbnailChart(writer, results, parallelisms);
    }

    private void DrawAxis(int bottom)
    {
        foreach (AxisMark mark in _bytes.Marks)
        {
            _svg.AddPath(mark.Position == Left ? "axis" : "grid", $"M{mark.Position:0.#} {Top}V{bottom}");
            _svg.AddText("label middle", mark.Position, bottom + 18, mark.Label);
        }
    }

    private void DrawBars(ThumbnailResult result, double y)
    {
        double peak = _bytes.At(result.PeakMebibytes * Mebibyte);
        _svg.AddText("label end", Left - 10, y + 12, result.Title);
        _svg.AddRectangle("peak", Left, y, peak - Left, BarHeight, radius: 2);
        _svg.AddRectangle("final", Left, y + 3, _bytes.At(result.FinalMebibytes * Mebibyte) - Left, BarHeight - 6, radius: 2);
        _svg.AddText("note", peak + 6, y + 12, $"{result.PeakMebibytes:#,0} MiB");
    }
}
