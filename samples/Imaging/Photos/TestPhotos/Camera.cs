using System.Numerics;
using Imaging.Memory;
using PixelPool;

namespace Imaging.Photos.TestPhotos;

/// <summary>Takes the photo: darker corners as from a lens, grain as from a sensor, most of it in the shadows.</summary>
public static class Camera
{
    /// <summary>Takes one photo and writes it.</summary>
    /// <returns>False when it was interrupted: then there is no such file.</returns>
    public static bool Take(TestPhoto photo, string path, CancellationToken interruption)
    {
        PixelAllocator allocator = PixelAllocator.Create();
        using var memory = new PooledImageMemory(allocator);
        using PixelBuffer<Rgb24> pixels = allocator.Rent<Rgb24>(
            photo.Width, photo.Height, PooledImageMemory.OptionsFor(photo.Codec.EncodeLayout));
        if (!Expose(photo, pixels, interruption))
        {
            return false;
        }

        using var image = new PooledImage<Rgb24>(pixels);
        WholeFile.Write(path, file => photo.Codec.Encode(image, file, memory));
        return true;
    }

    /// <returns>False when it was interrupted before the last row.</returns>
    private static bool Expose(TestPhoto photo, PixelBuffer<Rgb24> image, CancellationToken interruption)
    {
        image.ProcessPixelRowsInParallel(
            (Photo: photo, Landscape: new Landscape(photo), Interruption: interruption),
            static (band, scene) =>
            {
                for (int y = 0; y < band.Height && !scene.Interruption.IsCancellationRequested; y++)
                {
                    ExposeRow(scene.Photo, scene.Landscape, band.FirstRow + y, band.GetRowSpan(y));
                }
            });
        return !interruption.IsCancellationRequested;
    }

    private static void ExposeRow(TestPhoto photo, Landscape landscape, int y, Span<Rgb24> row)
    {
        var center = new Vector2(photo.Width, photo.Height) / 2;
        float cornerSquared = center.LengthSquared();
        for (int x = 0; x < row.Length; x++)
        {
            Vector3 color = landscape.ColorAt((x + 0.5f) / photo.Height, (y + 0.5f) / photo.Height);
            float vignette = 1 - (0.3f * Vector2.DistanceSquared(new Vector2(x, y), center) / cornerSquared);
            row[x] = Develop(color * vignette, FractalNoise.Hash(x, y, photo.Seed));
        }
    }

    private static Rgb24 Develop(Vector3 color, uint random)
    {
        Vector3 clamped = Vector3.Clamp(color, Vector3.Zero, Vector3.One);
        float grain = 9 - (5 * clamped.Y);
        float luma = ((int)(random & 0xFF) + (int)((random >> 8) & 0xFF) - 255) / 255f;
        var chroma = new Vector3((random >> 16) & 0xFF, 127, random >> 24);
        Vector3 noise = new Vector3(luma) + ((chroma - new Vector3(127)) / 400f);
        Vector3 sample = Vector3.Clamp((clamped * 255) + (noise * grain), Vector3.Zero, new Vector3(255)) + new Vector3(0.5f);
        return new Rgb24((byte)sample.X, (byte)sample.Y, (byte)sample.Z);
    }
}
