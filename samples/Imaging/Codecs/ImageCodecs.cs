using Imaging.Codecs.Bmp;
using Imaging.Codecs.Jpeg;
using Imaging.Codecs.Png;
using Imaging.Codecs.Ppm;

namespace Imaging.Codecs;

/// <summary>The formats that are known here. JPEG needs libjpeg-turbo, PNG needs libpng; the others need nothing.</summary>
public static class ImageCodecs
{
    /// <summary>Through libjpeg-turbo.</summary>
    public static IImageCodec Jpeg { get; } = new JpegCodec();

    /// <summary>Through libpng.</summary>
    public static IImageCodec Png { get; } = new PngCodec();

    /// <summary>24 bits a pixel.</summary>
    public static IImageCodec Bmp { get; } = new BmpCodec();

    /// <summary>Binary, 8 bits a sample.</summary>
    public static IImageCodec Ppm { get; } = new PpmCodec();

    /// <summary>Every format, also those whose library is missing here.</summary>
    public static IReadOnlyList<IImageCodec> All { get; } = [Jpeg, Png, Bmp, Ppm];

    /// <summary>What photos and thumbnails are written as when nobody says otherwise.</summary>
    public static IImageCodec Default => Jpeg.IsAvailable ? Jpeg : Lossless;

    /// <summary>The same for who wants every pixel as it was.</summary>
    public static IImageCodec Lossless => Png.IsAvailable ? Png : Bmp;

    /// <summary>The libraries that are not on this computer, and what cannot be read and written without them.</summary>
    public static IEnumerable<(CodecLibrary Library, IImageCodec Codec)> Missing =>
        from codec in All where !codec.IsAvailable select (codec.Library!, codec);

    /// <summary>The codec of that <see cref="IImageCodec.Name"/>, which there must be.</summary>
    public static IImageCodec Named(string name) => All.First(codec => codec.Name == name);

    /// <summary>The codec for a file by its first bytes; names lie.</summary>
    /// <exception cref="InvalidDataException">No format that is known here begins like this.</exception>
    public static IImageCodec Recognize(ReadOnlySpan<byte> file)
    {
        foreach (IImageCodec codec in All)
        {
            if (codec.Recognizes(file))
            {
                return codec;
            }
        }

        throw new InvalidDataException(file.IsEmpty ? "The file is empty." : "This is not a JPEG, PNG, BMP or binary PPM (P6) file.");
    }

    /// <summary>Whether a file is called like a photo, in small letters or large ones.</summary>
    public static bool HasKnownExtension(string path) =>
        All.Any(codec => codec.Extensions.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase));
}
