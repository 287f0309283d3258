using System.Xml.Linq;

namespace LoadResizeSave.Tests.Reporting;

/// <summary>A chart as XML, to be looked at.</summary>
internal sealed class Chart
{
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    private readonly XElement _root;

    /// <summary>Throws when the file is not well-formed.</summary>
    public Chart(string path)
    {
        _root = XDocument.Load(path).Root!;
        Assert.Equal(s_svg + "svg", _root.Name);
    }

    public string Title => _root.Element(s_svg + "title")!.Value;

    /// <summary>All that is written in it.</summary>
    public IEnumerable<string> Texts => _root.Descendants(s_svg + "text").Select(text => text.Value);

    /// <summary>What pointing at the marks of returned memory says.</summary>
    public IEnumerable<string> TrimTitles => _root.Descendants(s_svg + "g").Elements(s_svg + "title").Select(title => title.Value);

    /// <summary>The points of the path that shows a series; empty when there is none. The legend's own do not count.</summary>
    public (double X, double Y)[] Series(string name)
    {
        XElement? path = _root.Elements(s_svg + "path").SingleOrDefault(path => (string?)path.Attribute("class") == name);
        return path is null
            ? []
            : [.. path.Attribute("d")!.Value.Split('M', 'L', 'Z').Where(point => point.Length > 0).Select(Point)];
    }

    private static (double X, double Y) Point(string text)
    {
        string[] numbers = text.Split(' ');
        Assert.Equal(2, numbers.Length);
        return (double.Parse(numbers[0]), double.Parse(numbers[1]));
    }
}
