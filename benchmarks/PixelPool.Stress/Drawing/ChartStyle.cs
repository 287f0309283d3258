namespace PixelPool.Stress.Drawing;

/// <summary>Colours that work on paper and on a dark screen; nothing is loaded from elsewhere.</summary>
internal static class ChartStyle
{
    /// <summary>Without CSS variables, which viewers other than browsers do not know.</summary>
    public const string Css =
        """

        svg { font-family: system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
        .card { fill: #ffffff; stroke: #d9dee5; }
        .heading { fill: #1d2733; font-size: 20px; font-weight: 600; }
        .label { fill: #1d2733; font-size: 12.5px; }
        .muted { fill: #5c6878; font-size: 13.5px; }
        .note { fill: #5c6878; font-size: 12px; }
        .middle { text-anchor: middle; }
        .end { text-anchor: end; }
        .grid { stroke: #edf0f3; fill: none; }
        .axis { stroke: #aab4c0; fill: none; }
        .rented { fill: #2f7dd1; }
        .idle { fill: #a9cdf0; }
        .resident { stroke: #c2410c; stroke-width: 2; stroke-linejoin: round; fill: none; }
        .moment { stroke: #5c6878; stroke-dasharray: 2 4; fill: none; }
        @media (prefers-color-scheme: dark) {
          .card { fill: #12171e; stroke: #36404d; }
          .heading, .label { fill: #e8edf3; }
          .muted, .note { fill: #9aa7b6; }
          .grid { stroke: #222a34; }
          .axis { stroke: #4a5665; }
          .rented { fill: #4b97e6; }
          .idle { fill: #24486d; }
          .resident { stroke: #fb923c; }
          .moment { stroke: #9aa7b6; }
        }

        """;
}
