using System.Runtime.InteropServices;
using LoadResizeSave.Codecs.Jpeg;
using LoadResizeSave.Memory;

namespace ThumbnailService.Tests.Infrastructure;

/// <summary>JPEG files to send, made by the library that reads them.</summary>
internal static class TestJpeg
{
    private const int CmykPixelFormat = 11;

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

    /// <summary>A sound file whose colours are not supported.</summary>
    public static unsafe byte[] MakeForPrintingPresses(int width, int height)
    {
        using TurboJpegHandle compressor = TurboJpegHandle.Compressor();
        byte[] samples = new byte[width * height * 4];
        byte[] file = new byte[1 << 20];
        var length = new CULong((nuint)file.Length);
        fixed (byte* pixels = samples)
        fixed (byte* start = file)
        {
            byte* bytes = start;
            compressor.ThrowIfFailed(TurboJpeg.Compress(
                compressor, pixels, width, width * 4, height, CmykPixelFormat, ref bytes, ref length, TurboJpeg.Subsampling420, 90, TurboJpeg.NoRealloc));
        }

        return file[..(int)length.Value];
    }
}
