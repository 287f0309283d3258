using System.Text;

namespace PixelPool.Diagnostics.Drawing;

/// <summary>
/// The classes of a drawing, in colours for paper and for dark screens; nothing is loaded from elsewhere, and there are no CSS variables, which viewers other than
/// browsers do not know.
/// </summary>
internal sealed class StyleSheet
{
    private readonly StringBuilder _rules = new();
    private readonly StringBuilder _darkRules = new();

    /// <param name="root">The class of the drawing: the rules must not reach what else is on a page that it is pasted into.</param>
    public StyleSheet(string root)
    {
        Root = root;
        Add(string.Empty, """font-family: system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif;""");
        Fill("card", Colour.Paper);
        Stroke("card", Colour.Border);
        Fill("heading", Colour.Ink, "font-size: 20px; font-weight: 600;");
        Fill("panel", Colour.Ink, "font-size: 14.5px; font-weight: 600;");
        Fill("label", Colour.Ink, "font-size: 12.5px;");
        Fill("value", Colour.Ink, "font-size: 12.5px; font-weight: 600;");
        Fill("muted", Colour.Muted, "font-size: 13.5px;");
        Fill("note", Colour.Muted, "font-size: 12px;");
        Add(" .middle", "text-anchor: middle;");
        Add(" .end", "text-anchor: end;");
        Stroke("over", Colour.Paper, "paint-order: stroke; stroke-width: 4; stroke-linejoin: round;");
        Line("grid", Colour.Grid);
        Line("axis", Colour.Frame);
        Line("moment", Colour.Muted, "stroke-dasharray: 2 4;");
    }

    public string Root { get; }

    /// <summary>Text, and areas without an edge.</summary>
    /// <param name="classes">One, or several with dots between them, which an element then needs all.</param>
    /// <param name="colour">Its colour.</param>
    /// <param name="more">Further declarations.</param>
    public StyleSheet Fill(string classes, Colour colour, string more = "") => Add(classes, "fill", colour, more);

    /// <summary>The edge of something that is filled.</summary>
    public StyleSheet Stroke(string classes, Colour colour, string more = "") => Add(classes, "stroke", colour, more);

    /// <summary>What is only an edge.</summary>
    public StyleSheet Line(string classes, Colour colour, string more = "") => Stroke(classes, colour, $"fill: none; {more}");

    public override string ToString() => $"\n{_rules}@media (prefers-color-scheme: dark) {{\n{_darkRules}}}\n";

    private StyleSheet Add(string classes, string property, Colour colour, string more)
    {
        Add($" .{classes}", $"{property}: {colour.Light}; {more}");
        _darkRules.Append("  ").Append(Rule($" .{classes}", $"{property}: {colour.Dark};"));
        return this;
    }

    private void Add(string selector, string declarations) => _rules.Append(Rule(selector, declarations));

    private string Rule(string selector, string declarations) => $".{Root}{selector} {{ {declarations.TrimEnd()} }}\n";
}
