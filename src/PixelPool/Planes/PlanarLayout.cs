using PixelPool.Configuration;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>
/// How an image of several planes (Y, then U and V, or then both of them in pairs) lies in one piece of memory: the sizes, strides and offsets that codecs
/// expect. It holds no memory; <see cref="PlanarRenting"/> rents that.
/// </summary>
/// <remarks>
/// <para>
/// A sample is a byte, or a 16-bit number of which 10, 12 or all bits are used. Planes lie one behind the other, in the order of <see cref="Planes"/> and without gaps, as in video frames (I420, I422, I444, NV12, I010, P010) and in
/// TurboJPEG's unified buffers: there the alignment is called padding. The width and the height of chroma planes are rounded up.
/// </para>
/// <para>Immutable: one layout serves any number of images and threads.</para>
/// </remarks>
public sealed class PlanarLayout
{
    private readonly string _format;

    private readonly int _rowsOfChroma;

    private PlanarLayout(
        string format, int width, int height, int rowAlignmentBytes, int columnsOfChroma, int rowsOfChroma, int chromaPlanes = 2, int sampleBytes = 1)
    {
        _format = format;
        _rowsOfChroma = rowsOfChroma;
        Width = width;
        Height = height;
        RowAlignmentBytes = rowAlignmentBytes;
        SampleBytes = sampleBytes;
        if (sampleBytes is not (1 or 2))
        {
            Throw.OutOfRange(nameof(sampleBytes), sampleBytes, $"{nameof(sampleBytes)} must be 1 or 2.");
        }

        if (OptionRange.RowAlignmentBytes(rowAlignmentBytes) is { } allowed)
        {
            Throw.OutOfRange(nameof(rowAlignmentBytes), rowAlignmentBytes, $"{nameof(rowAlignmentBytes)} must be {allowed}.");
        }

        // All planes have room for whole chroma samples: codecs write those at the edges of odd sizes, too.
        int chromaWidth = Groups(nameof(width), width, columnsOfChroma);
        int chromaHeight = Groups(nameof(height), height, rowsOfChroma);
        var planes = new PlaneLayout[1 + chromaPlanes];
        planes[0] = Place(0, (long)width * sampleBytes, height, (long)chromaWidth * columnsOfChroma * sampleBytes, (long)chromaHeight * rowsOfChroma);

        // One chroma plane has both samples of a pair in a row.
        long rowBytes = (long)chromaWidth * sampleBytes * 2 / chromaPlanes;
        for (int i = 1; i < planes.Length; i++)
        {
            planes[i] = Place(planes[i - 1].Offset + planes[i - 1].Bytes, rowBytes, chromaHeight, rowBytes, chromaHeight);
        }

        Planes = Array.AsReadOnly(planes);
        Bytes = planes[chromaPlanes].Offset + planes[chromaPlanes].Bytes;
    }

    /// <summary>Width of the image in pixels.</summary>
    public int Width { get; }

    /// <summary>Height of the image in rows.</summary>
    public int Height { get; }

    /// <summary>Every row of every plane starts on a multiple of this many bytes from the start of the memory.</summary>
    public int RowAlignmentBytes { get; }

    /// <summary>Bytes of a sample: 1, or 2 for samples of more than 8 bits, which are 16-bit numbers in the byte order of the machine.</summary>
    public int SampleBytes { get; }

    /// <summary>Y, U and V; or Y and UV.</summary>
    public IReadOnlyList<PlaneLayout> Planes { get; }

    /// <summary>Bytes of all planes together.</summary>
    public long Bytes { get; }

    /// <summary>4:2:0: planes Y, U and V, the last two with half the columns and half the rows. The common one in JPEG and video.</summary>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="rowAlignmentBytes">Every row starts on a multiple of this many bytes: a power of two, 1 to 4,096. Default: 1.</param>
    /// <param name="sampleBytes">Bytes of a sample: 1, or 2 for samples of 9 to 16 bits (I010 is such a layout). Default: 1.</param>
    /// <returns>The layout.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or another argument is not one of those.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    public static PlanarLayout Yuv420(int width, int height, int rowAlignmentBytes = 1, int sampleBytes = 1) =>
        new("YUV 4:2:0", width, height, rowAlignmentBytes, 2, 2, sampleBytes: sampleBytes);

    /// <summary>4:2:2: planes Y, U and V, the last two with half the columns.</summary>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="rowAlignmentBytes">Every row starts on a multiple of this many bytes: a power of two, 1 to 4,096. Default: 1.</param>
    /// <param name="sampleBytes">Bytes of a sample: 1, or 2 for samples of 9 to 16 bits (I210 is such a layout). Default: 1.</param>
    /// <returns>The layout.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or another argument is not one of those.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    public static PlanarLayout Yuv422(int width, int height, int rowAlignmentBytes = 1, int sampleBytes = 1) =>
        new("YUV 4:2:2", width, height, rowAlignmentBytes, 2, 1, sampleBytes: sampleBytes);

    /// <summary>4:4:4: planes Y, U and V of the same size.</summary>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="rowAlignmentBytes">Every row starts on a multiple of this many bytes: a power of two, 1 to 4,096. Default: 1.</param>
    /// <param name="sampleBytes">Bytes of a sample: 1, or 2 for samples of 9 to 16 bits (I410 is such a layout). Default: 1.</param>
    /// <returns>The layout.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or another argument is not one of those.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    public static PlanarLayout Yuv444(int width, int height, int rowAlignmentBytes = 1, int sampleBytes = 1) =>
        new("YUV 4:4:4", width, height, rowAlignmentBytes, 1, 1, sampleBytes: sampleBytes);

    /// <summary>
    /// 4:2:0 as video hardware has it: a plane Y, and a plane of pairs of U and V. The second plane is one of bytes, too: its width is twice the number of
    /// pairs. NV21, whose pairs are the other way round, lies the same way.
    /// </summary>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="rowAlignmentBytes">
    /// Every row starts on a multiple of this many bytes: a power of two, 1 to 4,096. Default: 1. Both planes have the same stride.
    /// </param>
    /// <returns>The layout.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or another argument is not one of those.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    public static PlanarLayout Nv12(int width, int height, int rowAlignmentBytes = 1) => new("NV12", width, height, rowAlignmentBytes, 2, 2, chromaPlanes: 1);

    /// <summary>
    /// As <see cref="Nv12"/>, with 10 bits a sample: the upper ones of a 16-bit number. Frames of HDR video have it.
    /// </summary>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="rowAlignmentBytes">
    /// Every row starts on a multiple of this many bytes: a power of two, 1 to 4,096. Default: 1. Both planes have the same stride.
    /// </param>
    /// <returns>The layout.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or another argument is not one of those.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    public static PlanarLayout P010(int width, int height, int rowAlignmentBytes = 1) =>
        new("P010", width, height, rowAlignmentBytes, 2, 2, chromaPlanes: 1, sampleBytes: 2);

    /// <summary>
    /// As <see cref="Nv12"/>, with 16 bits a sample. P012 lies the same way.
    /// </summary>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="rowAlignmentBytes">
    /// Every row starts on a multiple of this many bytes: a power of two, 1 to 4,096. Default: 1. Both planes have the same stride.
    /// </param>
    /// <returns>The layout.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or another argument is not one of those.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    public static PlanarLayout P016(int width, int height, int rowAlignmentBytes = 1) =>
        new("P016", width, height, rowAlignmentBytes, 2, 2, chromaPlanes: 1, sampleBytes: 2);

    /// <summary>Format, size and bytes, for debuggers.</summary>
    public override string ToString() => $"{_format}, {Width} x {Height}, {ByteSize.Format(Bytes)} in {Planes.Count} planes";

    /// <summary>How the rows of a plane lie, counted from the start of the memory.</summary>
    internal PixelLayout PixelsOf(int plane) => Planes[plane].ToPixels(plane == 0 ? 1 : _rowsOfChroma);

    private static int Groups(string name, int count, int ofGroup)
    {
        if (count < 1)
        {
            Throw.NotPositive(name, count);
        }

        return (count / ofGroup) + (count % ofGroup);
    }

    private PlaneLayout Place(long offset, long width, int height, long roomForColumns, long roomForRows)
    {
        long stride = (roomForColumns + RowAlignmentBytes - 1) & -(long)RowAlignmentBytes;
        if (stride > int.MaxValue)
        {
            Throw.RowTooLong(Width, SampleBytes);
        }

        // Each below 2⁶²: their sum is looked at before the next one is added.
        long bytes = stride * roomForRows;
        if (offset + bytes > BlockSource.MaxBytes)
        {
            Throw.TooLarge(offset + bytes, BlockSource.MaxBytes);
        }

        if ((offset / stride) + height > int.MaxValue)
        {
            Throw.InvalidMemoryOperation($"All planes of an image of {Plural.Of(Height, "row")} would have more than 2³¹ rows.");
        }

        return new PlaneLayout(offset, (int)width, height, (int)stride, bytes);
    }
}
