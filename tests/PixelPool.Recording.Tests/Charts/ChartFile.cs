using System.Globalization;
using System.Xml.Linq;
using PixelPool.Diagnostics;

namespace PixelPool.Recording.Tests.Charts;

/// <summary>A drawing as XML, to be looked at. Throws when it is not well-formed.</summary>
internal sealed class ChartFile
{
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    private readonly XElement _root;

    public ChartFile(MemoryRecording recording, string? title = null, string? subtitle = null)
    {
        Source = recording.ToSvg(title, subtitle);
        _root = XDocument.Parse(Source).Root!;
        Assert.Equal(s_svg + "svg", _root.Name);
    }

    public string Source { get; }

    public string Title => _root.Element(s_svg + "title")!.Value;

    public string Description => _root.Element(s_svg + "desc")!.Value;

    public int Height => (int)_root.Attribute("height")!;

    /// <summary>All that is written in it.</summary>
    public string[] Texts => [.. _root.Descendants(s_svg + "text").Select(static text => text.Value)];

    /// <summary>Names of all elements.</summary>
    public IEnumerable<string> Elements => _root.DescendantsAndSelf().Select(static element => element.Name.LocalName);

    /// <summary>What pointing at the marks of a kind says: "trim", "wait", "leak", or "moment".</summary>
    public string[] Hints(string kind) =>
        [.. _root.Elements(s_svg + "g").Where(mark => mark.Elements().Any(part => IsOf(part, kind))).Select(static mark => mark.Element(s_svg + "title")?.Value).OfType<string>()];

    /// <summary>The points of the line or the upper edge of the area; empty when there is none. The legend's do not count.</summary>
    public (double X, double Y)[] Points(string series)
    {
        string? path = (string?)_root.Elements(s_svg + "path").SingleOrDefault(path => IsOf(path, series))?.Attribute("d");
        return path is null ? [] : [.. path.Split('V', 'h')[0].Split('M', 'L').Where(static point => point.Length > 0).Select(Point)];
    }

    /// <summary>How high the line of the budget lies; null when it is not drawn.</summary>
    public double? BudgetY =>
        (string?)_root.Elements(s_svg + "path").SingleOrDefault(static path => IsOf(path, "budget"))?.Attribute("d") is { } line
            ? Number(line.Split(' ', 'H')[1])
            : null;

    /// <summary>Bands behind the areas: left edge and width.</summary>
    public (double X, double Width)[] WaitBands =>
        [.. _root.Elements(s_svg + "rect").Where(static rect => IsOf(rect, "wait-band"))
            .Select(static rect => (Number((string)rect.Attribute("x")!), Number((string)rect.Attribute("width")!)))];

    private static bool IsOf(XElement element, string name) => (string?)element.Attribute("class") == name;

    private static (double X, double Y) Point(string text)
    {
        string[] numbers = text.Split(' ');
        Assert.Equal(2, numbers.Length);
        return (Number(numbers[0]), Number(numbers[1]));
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
