namespace PixelPool.Stress.Drawing;

/// <summary>Lines that can be told apart by colour and by the shape of their marks: s0, s1, … of the style sheet.</summary>
internal static class SeriesStyle
{
    public const string Css =
        """
        .panel { fill: #1d2733; font-size: 14.5px; font-weight: 600; }
        .series { stroke-width: 2; stroke-linejoin: round; fill: none; }
        .mark { stroke: none; }
        .series.s0 { stroke: #1f6fc4; } .mark.s0 { fill: #1f6fc4; }
        .series.s1 { stroke: #0f9488; } .mark.s1 { fill: #0f9488; }
        .series.s2 { stroke: #c2410c; } .mark.s2 { fill: #c2410c; }
        .series.s3 { stroke: #7c3aed; } .mark.s3 { fill: #7c3aed; }
        .series.s4 { stroke: #6b7280; } .mark.s4 { fill: #6b7280; }
        @media (prefers-color-scheme: dark) {
          .panel { fill: #e8edf3; }
          .series.s0 { stroke: #57a5f2; } .mark.s0 { fill: #57a5f2; }
          .series.s1 { stroke: #2dd4bf; } .mark.s1 { fill: #2dd4bf; }
          .series.s2 { stroke: #fb923c; } .mark.s2 { fill: #fb923c; }
          .series.s3 { stroke: #b79bff; } .mark.s3 { fill: #b79bff; }
          .series.s4 { stroke: #a3adb9; } .mark.s4 { fill: #a3adb9; }
        }

        """;

    /// <summary>The mark of a series: disc, square, triangle, diamond, bar.</summary>
    public static string Marker(int series, double x, double y)
    {
        string shape = (series % 5) switch
        {
            0 => "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
            1 => "m-3.7 -3.7h7.4v7.4h-7.4Z",
            2 => "m0 -5l4.6 8.2h-9.2Z",
            3 => "m0 -5l5 5l-5 5l-5 -5Z",
            _ => "m-5.5 -1.8h11v3.6h-11Z",
        };
        return $"""<path class="mark s{series}" d="M{x:0.#} {y:0.#}{shape}"/>""";
    }
}
