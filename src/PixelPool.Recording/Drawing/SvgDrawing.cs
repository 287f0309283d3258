namespace PixelPool.Diagnostics.Drawing;

/// <summary>Writes a drawing on a card, in plain ASCII. Numbers do not depend on the culture; all of them are pixels.</summary>
internal sealed class SvgDrawing
{
    private readonly TextWriter _writer;

    /// <param name="writer">Gets the drawing; it is not disposed.</param>
    /// <param name="style">The classes that the drawing uses.</param>
    /// <param name="width">Of the card.</param>
    /// <param name="height">Of the card.</param>
    /// <param name="title">What viewers that cannot be seen say it is.</param>
    /// <param name="description">What it shows, in a sentence; null when the title is enough.</param>
    public SvgDrawing(TextWriter writer, StyleSheet style, int width, int height, string title, string? description = null)
    {
        _writer = writer;
        _writer.Write(FormattableString.Invariant($"""<svg xmlns="http://www.w3.org/2000/svg" class="{style.Root}" viewBox="0 0 {width} {height}" """));
        Add($"""width="{width}" height="{height}" role="img">""");
        Add($"<title>{SvgText.Escape(title)}</title>");
        if (description is not null)
        {
            Add($"<desc>{SvgText.Escape(description)}</desc>");
        }

        Add($"<style>{style}</style>");
        Add($"""<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="12"/>""");
    }

    /// <summary>A line of the file, as it is.</summary>
    public void Add(FormattableString markup) => _writer.Write(FormattableString.Invariant(markup) + "\n");

    /// <summary>Text with its baseline at <paramref name="y"/>.</summary>
    public void AddText(string classes, double x, double y, string text) =>
        Add($"""<text class="{classes}" x="{x:0.#}" y="{y:0.#}">{SvgText.Escape(text)}</text>""");

    /// <summary>A shape, as the attribute <c>d</c> has it.</summary>
    public void AddPath(string classes, FormattableString path) => Add($"""<path class="{classes}" d="{FormattableString.Invariant(path)}"/>""");

    /// <summary>A line through the points.</summary>
    public void AddLine(string classes, IEnumerable<(double X, double Y)> points) => Add($"""<path class="{classes}" d="{PlotLine.Along(points)}"/>""");

    /// <summary>What lies between the points and <paramref name="bottom"/>.</summary>
    public void AddArea(string classes, IReadOnlyList<(double X, double Y)> points, double bottom) =>
        Add($"""<path class="{classes}" d="{PlotLine.Area(points, bottom)}"/>""");

    public void AddRectangle(string classes, double x, double y, double width, double height, double radius = 0) =>
        Add($"""<rect class="{classes}" x="{x:0.#}" y="{y:0.#}" width="{width:0.#}" height="{height:0.#}"{(radius == 0 ? string.Empty : FormattableString.Invariant($" rx=\"{radius}\""))}/>""");

    public void AddDisc(string classes, double x, double y, double radius) => Add($"""<circle class="{classes}" cx="{x:0.#}" cy="{y:0.#}" r="{radius}"/>""");

    /// <summary>Until <see cref="EndHint"/>: what says <paramref name="text"/> when somebody points at it.</summary>
    public void BeginHint(string text) => Add($"<g><title>{SvgText.Escape(text)}</title>");

    public void EndHint() => Add($"</g>");

    /// <summary>The last line of the file.</summary>
    public void End() => Add($"</svg>");
}
