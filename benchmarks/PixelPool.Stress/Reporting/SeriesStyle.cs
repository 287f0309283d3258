using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Stress.Reporting;

/// <summary>Lines that can be told apart by colour and by the shape of their marks: the classes s0, s1, … of the style sheet.</summary>
internal static class SeriesStyle
{
    private static readonly Colour[] s_colours =
        [Colour.Blue, Colour.Teal, Colour.Orange, Colour.Violet, Colour.Grey, Colour.Green, Colour.Amber, Colour.Red];

    public static void AddTo(StyleSheet style)
    {
        for (int i = 0; i < s_colours.Length; i++)
        {
            style.Line($"series.s{i}", s_colours[i], "stroke-width: 2; stroke-linejoin: round;").Fill($"mark.s{i}", s_colours[i]);
        }
    }

    /// <summary>The classes of the line of a series.</summary>
    public static string Line(int series) => $"series {Class(series)}";

    /// <summary>The mark of a series: disc, square, triangle, diamond, bar, hanging triangle, upright bar, cross.</summary>
    public static void DrawMark(SvgDrawing svg, int series, double x, double y) => svg.AddPath($"mark {Class(series)}", $"M{x:0.#} {y:0.#}{Shape(series)}");

    /// <summary>What stands for a series in a legend.</summary>
    public static string Symbol(int series) =>
        $"""<path class="{Line(series)}" d="M0 -4H22"/><path class="mark {Class(series)}" d="M11 -4{Shape(series)}"/>""";

    private static string Class(int series) => $"s{series % s_colours.Length}";

    private static string Shape(int series) => (series % s_colours.Length) switch
    {
        0 => "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
        1 => "m-3.7 -3.7h7.4v7.4h-7.4Z",
        2 => "m0 -5l4.6 8.2h-9.2Z",
        3 => "m0 -5l5 5l-5 5l-5 -5Z",
        4 => "m-5.5 -1.8h11v3.6h-11Z",
        5 => "m0 5l-4.6 -8.2h9.2Z",
        6 => "m-1.8 -5.5h3.6v11h-3.6Z",
        _ => "m-1.6 -5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4Z",
    };
}
