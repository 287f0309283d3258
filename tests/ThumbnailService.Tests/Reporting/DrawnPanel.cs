using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace ThumbnailService.Tests.Reporting;

/// <summary>One of the panels of a drawing, read as a person does: what stands where, by the marks of its axes.</summary>
internal sealed partial class DrawnPanel
{
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    private readonly XElement[] _elements;

    /// <param name="path">The drawing.</param>
    /// <param name="number">Which panel, from 0 on.</param>
    public DrawnPanel(string path, int number)
    {
        XElement[] all = [.. XDocument.Load(path).Root!.Elements()];
        int[] starts = [.. Enumerable.Range(0, all.Length).Where(i => (string?)all[i].Attribute("class") == "panel"), all.Length];
        _elements = all[starts[number]..starts[number + 1]];
    }

    public IEnumerable<string> Texts => _elements.Where(static element => element.Name == s_svg + "text").Select(static text => text.Value);

    public bool Has(string mark) => _elements.Any(element => (string?)element.Attribute("class") == mark);

    /// <summary>The number of seconds behind some words.</summary>
    public double SaidSeconds(string words)
    {
        Match match = Texts.Select(text => Regex.Match(text, Regex.Escape(words) + " ([0-9.]+) s")).First(static match => match.Success);
        return double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture);
    }

    /// <summary>Where a cross stands on the axis of time, in seconds: it begins at its upper left corner, 6 to the left of its middle.</summary>
    public double TimeOf(string cross) => Seconds(Points(cross)[0].X + 6);

    /// <summary>The corners of an area below the memory, as seconds and a number of requests.</summary>
    public (double Seconds, double Requests)[] PointsOf(string area, int requests)
    {
        // The lowest line of the panel is 0, and the one highest above it that belongs to the requests is all of them.
        double[] lines = [.. Points("axis").Concat(Points("grid")).Select(static point => point.Y).Distinct().OrderDescending()];
        (double zero, double all) = (lines[0], lines[2]);
        return [.. Points(area).Select(point => (Seconds(point.X), (zero - point.Y) / (zero - all) * requests))];
    }

    private double Seconds(double x)
    {
        (double X, double Seconds)[] marks = [.. _elements.Where(static element => (string?)element.Attribute("class") == "label middle")
            .Select(static label => ((double)label.Attribute("x")!, TimeAt(label.Value)))];
        return marks[0].Seconds + ((x - marks[0].X) / (marks[^1].X - marks[0].X) * (marks[^1].Seconds - marks[0].Seconds));
    }

    // "0", "200 ms", "0.2 s"
    private static double TimeAt(string label)
    {
        string[] words = label.Split(' ');
        double number = double.Parse(words[0], CultureInfo.InvariantCulture);
        return words.Length == 1 || words[1] == "s" ? number : words[1] == "ms" ? number / 1000 : throw new FormatException(label);
    }

    private (double X, double Y)[] Points(string mark) =>
    [
        .. _elements.Where(element => (string?)element.Attribute("class") == mark)
            .SelectMany(static element => Point().Matches((string)element.Attribute("d")!))
            .Select(static match => (Number(match.Groups[1]), Number(match.Groups[2]))),
    ];

    private static double Number(Group group) => double.Parse(group.Value, CultureInfo.InvariantCulture);

    [GeneratedRegex("[ML]([0-9.]+) ([0-9.]+)")]
    private static partial Regex Point();
}
