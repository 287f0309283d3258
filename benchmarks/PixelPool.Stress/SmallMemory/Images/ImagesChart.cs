using PixelPool.Diagnostics.Drawing;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.SmallMemory.Images;

/// <summary>Images per second against the number of threads, a line for each contender.</summary>
internal static class ImagesChart
{
    private const int Width = 960;
    private const int Height = 560;
    private const int Left = 84;
    private const int Right = Width - 40;
    private const int Top = 156;
    private const int Bottom = Height - 60;
    private const int Marks = 8;
    private const double Thousand = 1000;
    private const string Heading = "Small images on more and more threads";

    public static void Save(string path, IReadOnlyList<SmallContender> contenders, IReadOnlyList<ImagesResult> results)
    {
        var style = new StyleSheet("pixelpool-small");
        SeriesStyle.AddTo(style);
        using StreamWriter writer = File.CreateText(path);
        var svg = new SvgDrawing(writer, style, Width, Height, Heading);
        svg.AddText("heading", Left, 44, Heading);
        var legend = new Legend(Left, Right);
        for (int i = 0; i < contenders.Count; i++)
        {
            legend.Add(SeriesStyle.Symbol(i), contenders[i].Title);
        }

        legend.Draw(svg, 76);
        var panel = new ThreadPanel(
            "images per second",
            ImagesPlan.Threads,
            [.. contenders.Select(contender => (double[])[.. results.Where(result => result.Contender == contender).Select(result => result.ImagesPerSecond)])]);
        panel.Draw(svg, VerticalAxis(panel.Largest), Left, Right);
        svg.End();
    }

    private static LinearAxis VerticalAxis(double largest)
    {
        // 1, 2 or 5 times a power of ten.
        double power = Math.Pow(10, Math.Floor(Math.Log10(largest / Marks)));
        double step = power * new[] { 1, 2, 5, 10 }.First(factor => factor * power * Marks >= largest);
        return new LinearAxis(Math.Ceiling(largest / step) * step, step, Bottom, Top, value => value == 0 ? "0" : $"{value / Thousand:#,0} k");
    }
}
