using LoadResizeSave.Codecs;

namespace LoadResizeSave.Photos.TestPhotos;

/// <summary>What is needed to take one photo again, pixel for pixel.</summary>
internal sealed record TestPhoto(string Name, int Width, int Height, Palette Palette, uint Seed, IImageCodec Codec)
{
    public long PixelCount => (long)Width * Height;

    /// <summary>The file of a painted landscape with grain, about.</summary>
    public long RoughFileBytes => (long)(PixelCount * (Codec == ImageCodecs.Jpeg ? 0.13 : Codec == ImageCodecs.Png ? 1.64 : 3));

    public string FileName => Name + Codec.Extensions[0];
}
