using Imaging.Codecs;
using Imaging.Memory;
using Imaging.Resizing;

namespace ThumbnailService.Thumbnails;

/// <summary>The steps from a file to a file; the same for every memory.</summary>
/// <remarks>
/// libjpeg-turbo can shrink to a half, a quarter and an eighth while it decodes, with an eighth of the memory and better times. Whoever only makes
/// thumbnails should use that. This sample stands for work that needs all pixels of a photo.
/// </remarks>
internal static class PhotoToThumbnail
{
    public static Image<Rgb24> Decode(ReadOnlyMemory<byte> file, ImageMemory memory) => ImageCodecs.Jpeg.Decode(file, memory);

    public static byte[] Shrink(Image<Rgb24> photo, int maxSide, ImageMemory memory)
    {
        using Image<Rgb24> thumbnail = Resizer.Shrink(photo, maxSide, ImageCodecs.Jpeg.EncodeLayout, memory);
        using var file = new MemoryStream();
        ImageCodecs.Jpeg.Encode(thumbnail, file, memory);
        return file.ToArray();
    }
}
