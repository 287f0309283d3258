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

    /// <summary>Whether there is a line or an area of this name. The legend's own do not count.</summary>
    public bool Shows(string series) => _root.Elements(s_svg + "path").Any(path => (string?)path.Attribute("class") == series);
}
