using System.Numerics;
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
    /// <summary>What libjpeg-turbo takes besides coefficients: tables, some rows of samples, and pointers to the rows of pixels and coefficients.</summary>
    private const long CodecBytes = 256 << 10;
    private const long CodecBytesPerColumn = 80;
    private const long CodecBytesPerRow = 12;

    /// <summary>Weights of a Lanczos filter for each pixel along a side: three lobes on both sides of a pixel, and what rounding adds.</summary>
    private const int WeightBytesPerPixel = 8 * sizeof(float);

    /// <summary>The photo's pixels all the time; beside them first the file and the decoder, then what shrinking takes.</summary>
    public static long BytesFor(PixelAllocator allocator, JpegHeader header, int fileBytes, int thumbnailSide)
    {
        long pixels = allocator.GetHeldBytes<Rgb24>(header.Width, header.Height, AllocationOptions.Contiguous);
        long decoding = HeldBytes(allocator, fileBytes) + DecoderBytesFor(header);
        return pixels + Math.Max(decoding, ShrinkingBytes(allocator, header, thumbnailSide));
    }

    /// <summary>What libjpeg-turbo takes from <c>malloc</c>, where no pool sees it.</summary>
    public static long DecoderBytesFor(JpegHeader header) =>
        header.CoefficientBytes + CodecBytesFor(header.Width, header.Height);

    private static long ShrinkingBytes(PixelAllocator allocator, JpegHeader header, int thumbnailSide)
    {
        (int width, int height) = Resizer.Fit(header.Width, header.Height, thumbnailSide);
        return allocator.GetHeldBytes<Vector3>(header.Width, height)
            + HeldBytes(allocator, header.Width * WeightBytesPerPixel) + HeldBytes(allocator, header.Height * WeightBytesPerPixel)
            + ThumbnailBytes(allocator, width, height);
    }

    /// <summary>The thumbnail, its file, and what the encoder takes.</summary>
    private static long ThumbnailBytes(PixelAllocator allocator, int width, int height) =>
        allocator.GetHeldBytes<Rgb24>(width, height, AllocationOptions.Contiguous)
        + HeldBytes(allocator, JpegCodec.MaxFileBytes(width, height))
        + CodecBytesFor(width, height);

    private static long CodecBytesFor(int width, int height) => CodecBytes + (width * CodecBytesPerColumn) + (height * CodecBytesPerRow);

    /// <summary>What <see cref="RentScope.Allocate{T}"/> will hold.</summary>
    private static long HeldBytes(PixelAllocator allocator, int bytes) =>
        allocator.GetHeldBytes<byte>(bytes, 1, AllocationOptions.Contiguous);
}
