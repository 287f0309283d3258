using System.Runtime.InteropServices;
using Imaging.Codecs.Jpeg;
using Imaging.Memory;

namespace Imaging.Testing;

/// <summary>JPEG files, made by the library that reads them.</summary>
public static class TestJpeg
{
    private const int CmykPixelFormat = 11;
    private const int GreyPixelFormat = 6;
    private const int GreySubsampling = 3;

    public static byte[] Make(int width, int height, bool progressive = false)
    {
        using var memory = new ManagedImageMemory();
        using Image<Rgb24> image = memory.Rent<Rgb24>(width, height, PixelLayout.Contiguous);
        image.ProcessRows(0, static (rows, _) =>
        {
            for (int y = 0; y < rows.Height; y++)
            {
                Span<Rgb24> row = rows[y];
                for (int x = 0; x < row.Length; x++)
                {
                    row[x] = new Rgb24((byte)(x / 8), (byte)(y / 8), (byte)((x ^ y) & 0x3F));
                }
            }
        });

        using var file = new MemoryStream();
        new JpegCodec(progressive).Encode(image, file, memory);
        return file.ToArray();
    }

    public static byte[] MakeGrey(byte sample, int width, int height) =>
        Compress([.. Enumerable.Repeat(sample, width * height)], width, height, GreyPixelFormat, GreySubsampling);

    /// <summary>A sound file whose colours are not supported.</summary>
    public static byte[] MakeForPrintingPresses(int width, int height) =>
        Compress(new byte[width * height * 4], width, height, CmykPixelFormat, TurboJpeg.Subsampling420);

    private static unsafe byte[] Compress(byte[] samples, int width, int height, int pixelFormat, int subsampling)
    {
        using TurboJpegHandle compressor = TurboJpegHandle.Compressor();
        byte[] file = new byte[1 << 20];
        var length = new CULong((nuint)file.Length);
        fixed (byte* pixels = samples)
        fixed (byte* start = file)
        {
            byte* bytes = start;
            compressor.ThrowIfFailed(TurboJpeg.Compress(
                compressor, pixels, width, samples.Length / height, height, pixelFormat, ref bytes, ref length, subsampling, quality: 90, TurboJpeg.NoRealloc));
        }

        return file[..(int)length.Value];
    }
}
