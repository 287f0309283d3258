using System.Buffers;
using Imaging.Memory;

namespace Imaging.Codecs.Png;

/// <summary>PNG through libpng, which wants one pointer and a stride: its images are contiguous and pinned.</summary>
/// <remarks>What libpng only warns of is no error: it concerns what stands beside the pixels, or behind the last of them.</remarks>
internal sealed unsafe class PngCodec : IImageCodec
{
    /// <summary>Deflate cannot pack tighter than this, and a pixel has a bit at least: a header that promises more is a lie.</summary>
    private const long MaxPixelsPerByte = 1032 * 8;

    /// <summary>Where two fields of the header are, which is the first chunk: <see cref="Check"/> sees to that.</summary>
    private const int BitDepthOffset = 24;
    private const int InterlacingOffset = 28;

    public string Name => "png";

    public IReadOnlyList<string> Extensions { get; } = [".png"];

    public CodecLibrary Library => LibPng.Library;

    public PixelLayout EncodeLayout => PixelLayout.Contiguous;

    private static ReadOnlySpan<byte> Signature => [0x89, (byte)'P', (byte)'N', (byte)'G', 0x0D, 0x0A, 0x1A, 0x0A];

    /// <summary>Length and name of that chunk.</summary>
    private static ReadOnlySpan<byte> HeaderStart => [0, 0, 0, 13, (byte)'I', (byte)'H', (byte)'D', (byte)'R'];

    public bool Recognizes(ReadOnlySpan<byte> file) => file.StartsWith(Signature);

    public Image<Rgb24> Decode(ReadOnlyMemory<byte> file, ImageMemory memory)
    {
        Library.ThrowIfMissing("PNG");
        using MemoryHandle pinnedFile = file.Pin();
        PngImage png = PngImage.New();
        try
        {
            png.ThrowIfFailed(LibPng.BeginRead(&png, (byte*)pinnedFile.Pointer, (nuint)file.Length));
            Check(png, file.Span);
            png.Flags |= PngImage.Flag16BitSrgb;
            return png.HasAlpha ? DecodeOverWhite(&png, memory) : DecodePixels<Rgb24>(&png, PngImage.FormatRgb, memory);
        }
        finally
        {
            LibPng.Free(&png);
        }
    }

    public void Encode(Image<Rgb24> image, Stream destination, ImageMemory memory)
    {
        Library.ThrowIfMissing("PNG");
        using IMemoryOwner<byte> file = memory.RentBytes(MaxFileBytes(image));
        using MemoryHandle pinnedFile = file.Memory.Pin();
        using PinnedImage pixels = image.Pin();
        nuint length = (nuint)file.Memory.Length;
        PngImage png = PngImage.New();
        (png.Width, png.Height, png.Format) = ((uint)image.Width, (uint)image.Height, PngImage.FormatRgb);
        try
        {
            png.ThrowIfFailed(LibPng.Write(&png, (byte*)pinnedFile.Pointer, &length, convertTo8Bits: 0, pixels.Pointer, pixels.Stride, colormap: null));
        }
        finally
        {
            LibPng.Free(&png);
        }

        destination.Write(file.Memory.Span[..(int)length]);
    }

    /// <summary>What libpng does not look at, and what it cannot do.</summary>
    private static void Check(in PngImage png, ReadOnlySpan<byte> file)
    {
        ImageDimensions.Check(png.Width, png.Height);
        if ((long)png.Width * png.Height > file.Length * MaxPixelsPerByte)
        {
            throw new InvalidDataException($"The file is too small to hold the {png.Width} × {png.Height} pixels its header says.");
        }

        // libpng skips what it does not know, also before the header.
        if (!file[Signature.Length..].StartsWith(HeaderStart))
        {
            throw new InvalidDataException("The PNG file does not begin with its header.");
        }

        // Asked for 8 bits, libpng up to 1.6.50 writes outside of the image then (CVE-2025-65018), and some that were repaired mix up the passes.
        if (file[BitDepthOffset] == 16 && file[InterlacingOffset] != 0)
        {
            throw new NotSupportedException("Interlaced PNG files with 16 bits a sample are not supported.");
        }
    }

    /// <summary>libpng could lay pixels on a colour itself, but up to 1.6.51 it may read outside of a table then (CVE-2025-64720, CVE-2025-66293).</summary>
    private static Image<Rgb24> DecodeOverWhite(PngImage* png, ImageMemory memory)
    {
        using Image<Rgba32> pixels = DecodePixels<Rgba32>(png, PngImage.FormatRgba, memory);
        Image<Rgb24> image = memory.Rent<Rgb24>(pixels.Width, pixels.Height);
        image.FilterRows(pixels, 0, static (rows, source, _) =>
        {
            for (int y = 0; y < rows.Height; y++)
            {
                Span<Rgb24> row = rows[y];
                ReadOnlySpan<Rgba32> sourceRow = source[y];
                for (int x = 0; x < row.Length; x++)
                {
                    row[x] = sourceRow[x].OverWhite();
                }
            }
        });
        return image;
    }

    private static Image<TPixel> DecodePixels<TPixel>(PngImage* png, uint format, ImageMemory memory)
        where TPixel : unmanaged
    {
        png->Format = format;
        Image<TPixel> image = memory.Rent<TPixel>((int)png->Width, (int)png->Height, PixelLayout.Contiguous);
        try
        {
            using PinnedImage pixels = image.Pin();
            png->ThrowIfFailed(LibPng.FinishRead(png, background: null, pixels.Pointer, pixels.Stride, colormap: null));
            return image;
        }
        catch
        {
            image.Dispose();
            throw;
        }
    }

    /// <summary>More than the worst case: what cannot be compressed gets an eighth longer, and is cut into chunks of some kilobytes.</summary>
    private static int MaxFileBytes(Image<Rgb24> image)
    {
        long rowBytes = ((long)image.Width * sizeof(Rgb24)) + 1;
        return checked((int)((rowBytes * image.Height * 7 / 6) + 1024));
    }
}
