using PixelPool.Stress.Drawing;

namespace PixelPool.Stress.Thumbnails;

/// <summary>A group of bars for each parallelism: how far resident memory rose, and how far it fell again at the end.</summary>
internal sealed class ThumbnailChart
{
    private const int Width = 960;
    private const int Left = 232;
    private const int Right = Width - 70;
    private const int Top = 104;
    private const int BarHeight = 14;
    private const int BarDistance = 26;
    private const int GroupDistance = 34;

    private const string Css =
        """
        .panel { fill: #1d2733; font-size: 14.5px; font-weight: 600; }
        .peak { fill: #a9cdf0; }
        .final { fill: #2f7dd1; }
        @media (prefers-color-scheme: dark) {
          .panel { fill: #e8edf3; }
          .peak { fill: #2c5a8a; }
          .final { fill: #62abf5; }
        }

        """;

    private readonly SvgDocument _svg;
    private readonly Axis _mebibytes;

    private ThumbnailChart(IReadOnlyList<ThumbnailResult> results, int[] parallelisms)
    {
        int bottom = Top + (parallelisms.Length * GroupDistance) + (results.Count * BarDistance);
        _svg = new SvgDocument(Width, bottom + 62, "Resident memory while making thumbnails", Css);
        _mebibytes = Axis.ForMebibytes(results.Max(result => result.PeakMebibytes), Left, Right);
        _svg.AddText(30, 44, "heading", "Resident memory while making thumbnails");
        _svg.Add($"""<rect class="peak" x="30" y="64" width="22" height="12" rx="2"/>""");
        _svg.AddText(60, 75, "label", "peak");
        _svg.Add($"""<rect class="final" x="118" y="64" width="22" height="12" rx="2"/>""");
        _svg.AddText(148, 75, "label", "final: after giving back what was idle");
        DrawAxis(bottom);

        double y = Top;
        foreach (int parallelism in parallelisms)
        {
            y += GroupDistance;
            _svg.AddText(30, y - 10, "panel", parallelism == 1 ? "one photo at a time" : $"{parallelism} photos at a time");
            foreach (ThumbnailResult result in results.Where(result => result.Parallelism == parallelism))
            {
                DrawBars(result, y);
                y += BarDistance;
            }
        }
    }

    public static void Save(string path, IReadOnlyList<ThumbnailResult> results, int[] parallelisms) =>
        new ThumbnailChart(results, parallelisms)._svg.Save(path);

    private void DrawAxis(int bottom)
    {
        foreach (double mark in _mebibytes.Marks())
        {
            double x = _mebibytes.At(mark);
            _svg.Add($"""<path class="{(mark == 0 ? "axis" : "grid")}" d="M{x:0.#} {Top}V{bottom}"/>""");
            _svg.AddText(x, bottom + 18, "label middle", $"{mark:#,0}");
        }

        _svg.AddText(Right, bottom + 40, "note end", "MiB");
    }

    private void DrawBars(ThumbnailResult result, double y)
    {
        _svg.AddText(Left - 10, y + 12, "label end", result.Title);
        _svg.Add($"""<rect class="peak" x="{Left}" y="{y:0.#}" width="{_mebibytes.At(result.PeakMebibytes) - Left:0.#}" height="{BarHeight}" rx="2"/>""");
        _svg.Add($"""<rect class="final" x="{Left}" y="{y + 3:0.#}" width="{_mebibytes.At(result.FinalMebibytes) - Left:0.#}" height="{BarHeight - 6}" rx="2"/>""");
        _svg.AddText(_mebibytes.At(result.PeakMebibytes) + 6, y + 12, "note", $"{result.PeakMebibytes:#,0}");
    }
}
