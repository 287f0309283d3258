using System.IO.Compression;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.Formats;
using SixLabors.ImageSharp.Formats.Bmp;
using SixLabors.ImageSharp.Formats.Gif;
using SixLabors.ImageSharp.Formats.Jpeg;
using SixLabors.ImageSharp.Formats.Png;
using SixLabors.ImageSharp.Formats.Tga;
using SixLabors.ImageSharp.Formats.Tiff;
using SixLabors.ImageSharp.Formats.Webp;
using SixLabors.ImageSharp.PixelFormats;

namespace ImageSharp.Tests.Infrastructure;

/// <summary>Pictures that are the same in every run, drawn and as files.</summary>
internal static class Pictures
{
    // By libjpeg's cjpeg, with a single scan that has the mean of each block: ImageSharp's encoder makes none.
    private const string ZippedJpeg =
        "H4sIAAAAAAACA+3Ov0pCcRgG4N8vK03z5PFgLRFOhqBSiQUNUgRCElk2BE51Od1RQ1N0AY39WbqTk7XVFq3P807fO7x8+Uv+EWrj0ekoxBhCnCfk7+EkVFfKlXKpWilXkqS6ljUbWb2e"
        + "bW9ubTR77d2dXrvb6R+Oh/390UGne3R9PDo7n15N94az29nFzfhyOvkaiUmSZGnWajRak0F3MPmz/DGkpeJz5b4Q07CQxkIa86fQ+H71h6V5vR7j735xOX8Lq4UYFmqF2vy+Gz4EAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgP8r5q+f+VoHqkeKAAA=";

    /// <summary>By name, because data of tests is text.</summary>
    public static readonly IReadOnlyDictionary<string, Func<IImageEncoder>> Encoders = new Dictionary<string, Func<IImageEncoder>>
    {
        ["jpeg"] = static () => new JpegEncoder(),
        ["png"] = static () => new PngEncoder(),
        ["webp lossless"] = static () => new WebpEncoder { FileFormat = WebpFileFormatType.Lossless },
        ["webp lossy"] = static () => new WebpEncoder { FileFormat = WebpFileFormatType.Lossy },
        ["gif"] = static () => new GifEncoder(),
        ["bmp"] = static () => new BmpEncoder(),
        ["tga"] = static () => new TgaEncoder(),
        ["tiff"] = static () => new TiffEncoder(),
    };

    public static TheoryData<string> Formats => [.. Encoders.Keys];

    /// <summary>Smooth gradients with a few hard edges, and a transparent corner where pixels have one.</summary>
    public static Image<TPixel> Draw<TPixel>(Configuration configuration, int width, int height, int seed = 1)
        where TPixel : unmanaged, IPixel<TPixel>
    {
        var image = new Image<TPixel>(configuration, width, height);
        image.ProcessPixelRows(rows =>
        {
            for (int y = 0; y < rows.Height; y++)
            {
                Span<TPixel> row = rows.GetRowSpan(y);
                for (int x = 0; x < row.Length; x++)
                {
                    byte edge = (byte)(((x / 31) + (y / 17) + seed) % 5 == 0 ? 200 : 0);
                    row[x].FromRgba32(new Rgba32((byte)(x * 3 / 2), (byte)((y * 2) + seed), (byte)(((x * y) >> 7) ^ edge), (byte)(x + y < 40 ? 0 : 255)));
                }
            }
        });
        return image;
    }

    /// <summary>A file, made with ImageSharp's own memory.</summary>
    public static byte[] Encode<TPixel>(string format, int width, int height)
        where TPixel : unmanaged, IPixel<TPixel>
    {
        using Image<TPixel> image = Draw<TPixel>(TestConfiguration.OfImageSharp(), width, height);
        return Encode(image, format);
    }

    public static byte[] Encode(Image image, string format)
    {
        using var file = new MemoryStream();
        image.Save(file, Encoders[format]());
        return file.ToArray();
    }

    /// <summary>Decodes a file.</summary>
    public static Image<TPixel> Decode<TPixel>(Configuration configuration, byte[] file)
        where TPixel : unmanaged, IPixel<TPixel> =>
#if IMAGESHARP_3
        Image.Load<TPixel>(new DecoderOptions { Configuration = configuration }, file);
#else
        Image.Load<TPixel>(configuration, file);
#endif

    /// <summary>A progressive JPEG of 3000 x 2000 pixels of one colour, without subsampling: the most memory that decoding a pixel takes.</summary>
    public static byte[] ProgressiveJpeg()
    {
        using var zipped = new GZipStream(new MemoryStream(Convert.FromBase64String(ZippedJpeg)), CompressionMode.Decompress);
        using var file = new MemoryStream();
        zipped.CopyTo(file);
        return file.ToArray();
    }

    /// <summary>A file with several frames.</summary>
    public static byte[] AnimatedGif(Configuration configuration, int width, int height, int frames)
    {
        using Image<Rgba32> image = Draw<Rgba32>(configuration, width, height);
        for (int i = 1; i < frames; i++)
        {
            using Image<Rgba32> next = Draw<Rgba32>(configuration, width, height, seed: i + 1);
            image.Frames.AddFrame(next.Frames.RootFrame);
        }

        return Encode(image, "gif");
    }

    /// <summary>All pixels of all frames.</summary>
    public static byte[] PixelsOf<TPixel>(Image<TPixel> image)
        where TPixel : unmanaged, IPixel<TPixel>
    {
        using var pixels = new MemoryStream();
        foreach (ImageFrame<TPixel> frame in image.Frames)
        {
            frame.ProcessPixelRows(rows =>
            {
                for (int y = 0; y < rows.Height; y++)
                {
                    pixels.Write(System.Runtime.InteropServices.MemoryMarshal.AsBytes(rows.GetRowSpan(y)));
                }
            });
        }

        return pixels.ToArray();
    }
}
