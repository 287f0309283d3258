namespace PixelPool.Tests.Buffers.Planar;

/// <summary>The formats that planar layouts have, by name.</summary>
internal static class PlanarFormats
{
    /// <summary>Three planes of 16-bit samples.</summary>
    public const string I010 = nameof(I010);

    public static string[] Names { get; } =
    [
        nameof(PlanarLayout.Yuv420), nameof(PlanarLayout.Yuv422), nameof(PlanarLayout.Yuv444), nameof(PlanarLayout.Nv12), nameof(PlanarLayout.P010), nameof(PlanarLayout.P016), I010,
    ];

    public static PlanarLayout Layout(string format, int width, int height, int rowAlignmentBytes) => format switch
    {
        nameof(PlanarLayout.Yuv420) => PlanarLayout.Yuv420(width, height, rowAlignmentBytes),
        nameof(PlanarLayout.Yuv422) => PlanarLayout.Yuv422(width, height, rowAlignmentBytes),
        nameof(PlanarLayout.Yuv444) => PlanarLayout.Yuv444(width, height, rowAlignmentBytes),
        nameof(PlanarLayout.P010) => PlanarLayout.P010(width, height, rowAlignmentBytes),
        nameof(PlanarLayout.P016) => PlanarLayout.P016(width, height, rowAlignmentBytes),
        I010 => PlanarLayout.Yuv420(width, height, rowAlignmentBytes, sampleBytes: 2),
        _ => PlanarLayout.Nv12(width, height, rowAlignmentBytes),
    };

    public static IEnumerable<PlanarLayout> Layouts(int width, int height, int rowAlignmentBytes) =>
        Names.Select(format => Layout(format, width, height, rowAlignmentBytes));
}
