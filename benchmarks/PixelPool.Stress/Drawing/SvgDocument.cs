using System.Net;
using System.Text;

namespace PixelPool.Stress.Drawing;

/// <summary>A drawing on a card.</summary>
internal sealed class SvgDocument
{
    private readonly StringBuilder _svg = new();

    /// <param name="css">Besides what every drawing has.</param>
    public SvgDocument(int width, int height, string title, string css)
    {
        Add($"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">""");
        Add($"<title>{Escaped(title)}</title>");
        Add($"<style>{ChartStyle.Css}{css}</style>");
        Add($"""<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="12"/>""");
    }

    /// <remarks>Numbers are written the invariant way: the project says so.</remarks>
    public void Add(string element) => _svg.AppendLine(element);

    /// <param name="classes">Of the style sheet.</param>
    public void AddText(double x, double y, string classes, string text) =>
        Add($"""<text class="{classes}" x="{x:0.#}" y="{y:0.#}">{Escaped(text)}</text>""");

    /// <summary>A line along the points.</summary>
    public void AddLine(string classes, IEnumerable<(double X, double Y)> points) => Add($"""<path class="{classes}" d="{Path(points)}"/>""");

    /// <summary>Along the upper edge to the right, and back along the lower one.</summary>
    public void AddArea(string classes, IEnumerable<(double X, double Y)> upper, IEnumerable<(double X, double Y)> lower) =>
        Add($"""<path class="{classes}" d="{Path(upper.Concat(lower.Reverse()))}Z"/>""");

    public void Save(string path) => File.WriteAllText(path, $"{_svg}</svg>\n");

    private static string Path(IEnumerable<(double X, double Y)> points)
    {
        var path = new StringBuilder();
        foreach ((double x, double y) in points)
        {
            path.Append($"{(path.Length == 0 ? 'M' : 'L')}{x:0.#} {y:0.#}");
        }

        return path.ToString();
    }

    private static string Escaped(string text) => WebUtility.HtmlEncode(text);
}
