using Imaging.Codecs;
using Imaging.Codecs.Jpeg;
using Imaging.Photos.TestPhotos;

namespace ThumbnailService.Load.Photos;

/// <summary>Photos of 24 megapixels, as cameras make them: the last of them progressive, as editors and websites save them.</summary>
internal static class LargePhotos
{
    private const int Width = 6000;
    private const int Height = 4000;

    private static readonly IImageCodec s_progressive = new JpegCodec(progressive: true);

    private static readonly TestPhoto[] s_all =
    [
        new("dawn", Width, Height, Palette.Dawn, 211, ImageCodecs.Jpeg),
        new("noon", Width, Height, Palette.Noon, 223, ImageCodecs.Jpeg),
        new("dusk", Height, Width, Palette.Dusk, 227, ImageCodecs.Jpeg),
        new("autumn-progressive", Width, Height, Palette.Autumn, 229, s_progressive),
    ];

    public static void PaintMissing(string folder)
    {
        Directory.CreateDirectory(folder);
        foreach (TestPhoto photo in s_all)
        {
            string path = Path.Combine(folder, photo.FileName);
            if (!File.Exists(path))
            {
                Console.WriteLine($"painting {photo.FileName}: {photo.Width} × {photo.Height} pixels");
                Camera.Take(photo, path, CancellationToken.None);
            }
        }
    }
}
