using LoadResizeSave.Codecs.Jpeg;
using LoadResizeSave.Codecs.Png;
using LoadResizeSave.Codecs.Ppm;

namespace LoadResizeSave.Codecs;

/// <summary>The formats this program knows. JPEG needs libjpeg-turbo; the others need nothing.</summary>
internal static class ImageCodecs
{
    public static IImageCodec Jpeg { get; } = new JpegCodec();

    public static IImageCodec Png { get; } = new PngCodec();

    public static IImageCodec Ppm { get; } = new PpmCodec();

    public static IReadOnlyList<IImageCodec> All { get; } = [Jpeg, Png, Ppm];

    /// <summary>What photos and thumbnails are written as when nobody says otherwise.</summary>
    public static IImageCodec Default => TurboJpegLibrary.IsAvailable ? Jpeg : Png;

    public static IImageCodec Named(string name) => All.First(codec => codec.Name == name);

    /// <summary>The codec for a file by its first bytes; names lie.</summary>
    public static IImageCodec Recognize(ReadOnlySpan<byte> file)
    {
        foreach (IImageCodec codec in All)
        {
            if (codec.Recognizes(file))
            {
                return codec;
            }
        }

        throw new InvalidDataException(file.IsEmpty ? "The file is empty." : "This is not a JPEG, PNG or PPM file.");
    }

    public static bool HasKnownExtension(string path) =>
        All.Any(codec => codec.Extensions.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase));
}
