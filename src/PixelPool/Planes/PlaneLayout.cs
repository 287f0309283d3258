using PixelPool.Pooling;

namespace PixelPool;

/// <summary>Where one plane of a <see cref="PlanarLayout"/> lies.</summary>
/// <param name="Offset">Bytes from the start of the memory to the first sample of the first row.</param>
/// <param name="Width">
/// Bytes of a row that are samples: <see cref="PlanarLayout.SampleBytes"/> for each sample. A plane of pairs (NV12, P010) has two samples for each pair.
/// </param>
/// <param name="Height">Height in rows.</param>
/// <param name="Stride">Bytes from the start of a row to the start of the next one.</param>
/// <param name="Bytes">
/// Bytes that the plane has room for: whole strides. Where the width or the height of the image is odd, the first plane has room for one more column or row, because
/// codecs write whole chroma samples.
/// </param>
public readonly record struct PlaneLayout(long Offset, int Width, int Height, int Stride, long Bytes)
{
    // Rows are counted in the plane's own stride, from the start of the memory: so a plane may lie anywhere in it.
    internal PixelLayout ToPixels(int rowsOfOne)
    {
        int firstRow = (int)(Offset / Stride);
        var rows = new PixelLayout(Width, Height, Stride, rowsPerBlock: firstRow + Height, isDivided: false);
        return rows.Cut((int)(Offset % Stride), firstRow, Width, Height).Subsample(rowsOfOne);
    }
}
