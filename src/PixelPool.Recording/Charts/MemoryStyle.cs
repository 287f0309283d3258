using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Diagnostics.Charts;

/// <summary>What the drawing of a recording has besides what every drawing has.</summary>
internal static class MemoryStyle
{
    public static StyleSheet Create() => new StyleSheet("pixelpool-memory")
        .Fill("rented", Colour.Blue)
        .Fill("idle", Colour.PaleBlue)
        .Line("resident", Colour.Ink, "stroke-width: 2; stroke-linejoin: round; stroke-linecap: round;")
        .Fill("dot", Colour.Ink)
        .Stroke("dot", Colour.Paper, "stroke-width: 1.5;")
        .Line("budget", Colour.Violet, "stroke-width: 1.5; stroke-dasharray: 7 4;")
        .Fill("trim", Colour.Green)
        .Line("trim-line", Colour.Green, "stroke-opacity: 0.5;")
        .Fill("wait", Colour.Amber)
        .Fill("wait-band", Colour.Amber, "fill-opacity: 0.16;")
        .Line("leak", Colour.Red, "stroke-width: 2.5; stroke-linecap: round;")
        .Line("leak-line", Colour.Red, "stroke-opacity: 0.5;");
}
