using System.Numerics;
using System.Runtime.CompilerServices;
using Imaging.Codecs.Jpeg;
using Imaging.Memory;
using Imaging.Resizing;
using PixelPool;

namespace ThumbnailService.Memory;

/// <summary>
/// How much memory a request will hold at most, known before it holds any. A request that took a part and then waited for the rest could wait for another
/// one that does the same.
/// </summary>
internal static class RequestMemory
{
    /// <summary>The pool of the service has the sizes that all pools have.</summary>
    private static readonly PixelAllocatorOptions s_sizes = new();

    /// <summary>What libjpeg-turbo takes besides coefficients: tables, and some rows of samples.</summary>
    private const long DecoderBytes = 256 << 10;
    private const long DecoderBytesPerColumn = 64;

    /// <summary>The thumbnail, its file, and what the encoder takes.</summary>
    private const long ThumbnailBytes = 1 << 20;

    /// <summary>Weights of a Lanczos filter for each pixel along a side: three lobes on both sides of a pixel, and what rounding adds.</summary>
    private const long WeightBytesPerPixel = 8 * sizeof(float);

    /// <summary>The photo's pixels all the time; beside them first the file and the decoder, then what shrinking takes.</summary>
    public static long BytesFor(JpegHeader header, int fileBytes, int thumbnailSide)
    {
        long pixels = Held((long)header.Width * header.Height * Unsafe.SizeOf<Rgb24>());
        long decoding = Held(fileBytes) + DecoderBytesFor(header);
        return pixels + Math.Max(decoding, ShrinkingBytes(header, thumbnailSide));
    }

    /// <summary>What libjpeg-turbo takes from <c>malloc</c>, where no pool sees it.</summary>
    public static long DecoderBytesFor(JpegHeader header) =>
        header.CoefficientBytes + DecoderBytes + (header.Width * DecoderBytesPerColumn);

    private static long ShrinkingBytes(JpegHeader header, int thumbnailSide)
    {
        (_, int thumbnailHeight) = Resizer.Fit(header.Width, header.Height, thumbnailSide);
        return HeldRows(header.Width * Unsafe.SizeOf<Vector3>(), thumbnailHeight)
            + Held(header.Width * WeightBytesPerPixel) + Held(header.Height * WeightBytesPerPixel)
            + ThumbnailBytes;
    }

    /// <summary>What memory in one piece really holds: whole blocks, or an array whose length is a power of two.</summary>
    private static long Held(long bytes) => bytes <= s_sizes.SmallBufferThresholdBytes
        ? (long)BitOperations.RoundUpToPowerOf2((ulong)bytes)
        : BlocksFor(bytes, s_sizes.BlockBytes);

    /// <summary>The same for rows that may lie in several blocks. None straddles two.</summary>
    private static long HeldRows(int rowBytes, int rows)
    {
        int rowsPerBlock = s_sizes.BlockBytes / rowBytes;
        long bytes = (long)rowBytes * rows;
        return bytes <= s_sizes.SmallBufferThresholdBytes || rowsPerBlock == 0 ? Held(bytes) : BlocksFor(rows, rowsPerBlock);
    }

    private static long BlocksFor(long what, int perBlock) => (what + perBlock - 1) / perBlock * s_sizes.BlockBytes;
}
