using Imaging.Codecs;

namespace Imaging.Photos.TestPhotos;

/// <summary>What is needed to take one photo again, pixel for pixel.</summary>
public sealed record TestPhoto(string Name, int Width, int Height, Palette Palette, uint Seed, IImageCodec Codec)
{
    /// <summary>Width times height.</summary>
    public long PixelCount => (long)Width * Height;

    /// <summary>The file of a painted landscape with grain, about.</summary>
    public long RoughFileBytes => (long)(PixelCount * (Codec == ImageCodecs.Jpeg ? 0.13 : Codec == ImageCodecs.Png ? 1.64 : 3));

    /// <summary>With the extension of its format.</summary>
    public string FileName => Name + Codec.Extensions[0];
}
