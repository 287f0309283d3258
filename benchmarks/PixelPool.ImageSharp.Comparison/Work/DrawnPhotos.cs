using SixLabors.ImageSharp;
using SixLabors.ImageSharp.PixelFormats;

namespace ImageSharp.Comparison.Work;

/// <summary>Pictures as large as photos, for machines without photos.</summary>
internal static class DrawnPhotos
{
    private static readonly (int Width, int Height)[] s_sizes = [(6000, 4000), (4000, 3000), (3000, 4000), (1920, 1080)];

    public static void Save(string folder)
    {
        Directory.CreateDirectory(folder);
        foreach ((int width, int height) in s_sizes)
        {
            using Image<Rgb24> image = Draw<Rgb24>(Configuration.Default, width, height);
            image.SaveAsJpeg(Path.Combine(folder, $"{width}x{height}.jpg"));
        }
    }

    public static Image<TPixel> Draw<TPixel>(Configuration configuration, int width, int height)
        where TPixel : unmanaged, IPixel<TPixel>
    {
        var image = new Image<TPixel>(configuration, width, height);
        image.ProcessPixelRows(static rows =>
        {
            for (int y = 0; y < rows.Height; y++)
            {
                Span<TPixel> row = rows.GetRowSpan(y);
                for (int x = 0; x < row.Length; x++)
                {
                    row[x].FromRgba32(new Rgba32((byte)(x / 5), (byte)(y / 3), (byte)((x * y) >> 9), 255));
                }
            }
        });
        return image;
    }
}
