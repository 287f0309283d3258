namespace PixelPool.Diagnostics.Drawing;

/// <summary>Colours for paper and for dark screens; nothing is loaded from elsewhere.</summary>
internal static class ChartStyle
{
    /// <summary>The class of the root: the rules must not reach what else is on a page that the drawing is pasted into.</summary>
    public const string Root = "pixelpool-memory";

    /// <summary>Without CSS variables, which viewers other than browsers do not know.</summary>
    public const string Css =
        """

        .pixelpool-memory { font-family: system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
        .pixelpool-memory .card { fill: #ffffff; stroke: #d9dee5; }
        .pixelpool-memory .heading { fill: #1d2733; font-size: 20px; font-weight: 600; }
        .pixelpool-memory .label { fill: #1d2733; font-size: 12.5px; }
        .pixelpool-memory .muted { fill: #5c6878; font-size: 13.5px; }
        .pixelpool-memory .note { fill: #5c6878; font-size: 12px; }
        .pixelpool-memory .value { fill: #1d2733; font-size: 12.5px; font-weight: 600; }
        .pixelpool-memory .middle { text-anchor: middle; }
        .pixelpool-memory .end { text-anchor: end; }
        .pixelpool-memory .over { paint-order: stroke; stroke: #ffffff; stroke-width: 4; stroke-linejoin: round; }
        .pixelpool-memory .grid { stroke: #edf0f3; fill: none; }
        .pixelpool-memory .axis { stroke: #aab4c0; fill: none; }
        .pixelpool-memory .rented { fill: #2f7dd1; }
        .pixelpool-memory .idle { fill: #a9cdf0; }
        .pixelpool-memory .resident { stroke: #1d2733; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; fill: none; }
        .pixelpool-memory .dot { fill: #1d2733; stroke: #ffffff; stroke-width: 1.5; }
        .pixelpool-memory .budget { stroke: #7c3aed; stroke-width: 1.5; stroke-dasharray: 7 4; fill: none; }
        .pixelpool-memory .moment { stroke: #5c6878; stroke-dasharray: 2 4; fill: none; }
        .pixelpool-memory .trim { fill: #15803d; }
        .pixelpool-memory .wait { fill: #d97706; }
        .pixelpool-memory .leak { fill: none; stroke: #dc2626; stroke-width: 2.5; stroke-linecap: round; }
        .pixelpool-memory .trim-line { stroke: #15803d; stroke-opacity: 0.5; fill: none; }
        .pixelpool-memory .wait-band { fill: #d97706; fill-opacity: 0.16; }
        .pixelpool-memory .leak-line { stroke: #dc2626; stroke-opacity: 0.5; fill: none; }
        @media (prefers-color-scheme: dark) {
          .pixelpool-memory .card { fill: #12171e; stroke: #36404d; }
          .pixelpool-memory .heading, .pixelpool-memory .label, .pixelpool-memory .value { fill: #e8edf3; }
          .pixelpool-memory .muted, .pixelpool-memory .note { fill: #9aa7b6; }
          .pixelpool-memory .over { stroke: #12171e; }
          .pixelpool-memory .grid { stroke: #222a34; }
          .pixelpool-memory .axis { stroke: #4a5665; }
          .pixelpool-memory .rented { fill: #3f8ade; }
          .pixelpool-memory .idle { fill: #24486d; }
          .pixelpool-memory .resident { stroke: #e8edf3; }
          .pixelpool-memory .dot { fill: #e8edf3; stroke: #12171e; }
          .pixelpool-memory .budget { stroke: #b79bff; }
          .pixelpool-memory .moment { stroke: #9aa7b6; }
          .pixelpool-memory .trim { fill: #4ade80; }
          .pixelpool-memory .wait { fill: #fbbf24; }
          .pixelpool-memory .leak { stroke: #f87171; }
          .pixelpool-memory .trim-line { stroke: #4ade80; }
          .pixelpool-memory .wait-band { fill: #fbbf24; }
          .pixelpool-memory .leak-line { stroke: #f87171; }
        }

        """;
}
