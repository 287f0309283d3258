using System.Buffers;
using System.Runtime.InteropServices;
using Imaging.Memory;

namespace Imaging.Codecs.Jpeg;

/// <summary>JPEG through libjpeg-turbo, which wants one pointer and a stride: its images are contiguous and pinned.</summary>
/// <param name="progressive">Whether files are written in several scans, which get sharper one by one. All files are read.</param>
public sealed unsafe class JpegCodec(bool progressive = false) : IImageCodec
{
    private const int Quality = 85;

    /// <inheritdoc/>
    public string Name => "jpeg";

    /// <inheritdoc/>
    public IReadOnlyList<string> Extensions { get; } = [".jpg", ".jpeg"];

    /// <inheritdoc/>
    public CodecLibrary Library => TurboJpeg.Library;

    /// <inheritdoc/>
    public PixelLayout EncodeLayout => PixelLayout.Contiguous;

    /// <inheritdoc/>
    public bool Recognizes(ReadOnlySpan<byte> file) => file.StartsWith((ReadOnlySpan<byte>)[0xFF, 0xD8, 0xFF]);

    /// <inheritdoc/>
    public Image<Rgb24> Decode(ReadOnlyMemory<byte> file, ImageMemory memory)
    {
        Library.ThrowIfMissing("JPEG");
        using TurboJpegHandle decompressor = TurboJpegHandle.Decompressor();
        using MemoryHandle pinnedFile = file.Pin();
        var bytes = (byte*)pinnedFile.Pointer;
        var length = new CULong((nuint)file.Length);

        decompressor.ThrowIfFailed(TurboJpeg.DecompressHeader(
            decompressor, bytes, length, out int width, out int height, out _, out int colorSpace));
        if (colorSpace >= TurboJpeg.FirstCmykColorSpace)
        {
            throw new NotSupportedException("CMYK JPEG files are not supported.");
        }

        ImageDimensions.Check(width, height);
        Image<Rgb24> image = memory.Rent<Rgb24>(width, height, PixelLayout.Contiguous);
        try
        {
            using PinnedImage pixels = image.Pin();
            decompressor.ThrowIfFailed(TurboJpeg.Decompress(
                decompressor, bytes, length, pixels.Pointer, width, pixels.Stride, height,
                TurboJpeg.PixelFormatRgb, TurboJpeg.StopOnWarning | TurboJpeg.LimitScans));
            return image;
        }
        catch
        {
            image.Dispose();
            throw;
        }
    }

    /// <summary>The bytes that <see cref="Encode"/> rents for the file, which will be smaller. The library must be there.</summary>
    public static int MaxFileBytes(int width, int height) => checked((int)TurboJpeg.BufferSize(width, height, TurboJpeg.Subsampling420).Value);

    /// <inheritdoc/>
    public void Encode(Image<Rgb24> image, Stream destination, ImageMemory memory)
    {
        Library.ThrowIfMissing("JPEG");
        using TurboJpegHandle compressor = TurboJpegHandle.Compressor();
        using IMemoryOwner<byte> file = memory.RentBytes(MaxFileBytes(image.Width, image.Height));
        using MemoryHandle pinnedFile = file.Memory.Pin();
        using PinnedImage pixels = image.Pin();

        var bytes = (byte*)pinnedFile.Pointer;
        var length = new CULong((nuint)file.Memory.Length);
        compressor.ThrowIfFailed(TurboJpeg.Compress(
            compressor, pixels.Pointer, image.Width, pixels.Stride, image.Height, TurboJpeg.PixelFormatRgb,
            ref bytes, ref length, TurboJpeg.Subsampling420, Quality, TurboJpeg.NoRealloc | (progressive ? TurboJpeg.Progressive : 0)));
        destination.Write(file.Memory.Span[..(int)length.Value]);
    }
}
