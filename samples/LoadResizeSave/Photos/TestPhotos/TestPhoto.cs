using LoadResizeSave.Codecs;

namespace LoadResizeSave.Photos.TestPhotos;

/// <summary>What is needed to take one photo again, pixel for pixel.</summary>
internal sealed record TestPhoto(string Name, int Width, int Height, Palette Palette, uint Seed, IImageCodec Codec)
{
    public string FileName => Name + Codec.Extensions[0];
}
