namespace PixelPool.Diagnostics.Drawing;

/// <summary>What a chart stands in: a grid at the marks of the vertical axis, and ticks below it at those of the horizontal one.</summary>
/// <param name="svg">Where it is drawn.</param>
/// <param name="horizontal">It may be shorter than the frame is wide.</param>
/// <param name="vertical">As long as the frame is high.</param>
/// <param name="left">The left edge.</param>
/// <param name="right">The right edge.</param>
internal sealed class PlotFrame(SvgDrawing svg, Axis horizontal, Axis vertical, double left, double right)
{
    private const int LabelGap = 8;

    public void DrawGrid()
    {
        foreach (AxisMark mark in vertical.Marks)
        {
            svg.AddPath(mark.Position == vertical.Start ? "axis" : "grid", $"M{left:0.#} {mark.Position:0.#}H{right:0.#}");
        }
    }

    /// <summary>The labels of the vertical axis, to the left of the frame.</summary>
    public void DrawScale()
    {
        foreach (AxisMark mark in vertical.Marks)
        {
            svg.AddText("label end", left - LabelGap, mark.Position + 4, mark.Label);
        }
    }

    /// <summary>The marks of the horizontal axis and their labels.</summary>
    public void DrawTicks()
    {
        foreach (AxisMark mark in horizontal.Marks)
        {
            svg.AddPath("axis", $"M{mark.Position:0.#} {vertical.Start:0.#}v5");
            svg.AddText("label middle", mark.Position, vertical.Start + 20, mark.Label);
        }
    }

    /// <summary>A line across at a value of the vertical axis.</summary>
    public void DrawLevel(string classes, double value) => svg.AddPath(classes, $"M{left:0.#} {vertical.At(value):0.#}H{right:0.#}");
}
