using System.Numerics;
using Imaging.Memory;

namespace Imaging.Resizing;

/// <summary>Makes small images of large ones: Lanczos3, first down the columns, then along the rows.</summary>
/// <remarks>The same pixels come out whatever the allocator and the number of threads.</remarks>
public static class Resizer
{
    /// <summary>An image whose longer side has <paramref name="maxSide"/> pixels; images that are smaller keep their size.</summary>
    public static Image<Rgb24> Shrink(Image<Rgb24> source, int maxSide, PixelLayout layout, ImageMemory memory)
    {
        (int width, int height) = Fit(source.Width, source.Height, maxSide);
        using var rowWeights = new FilterWeights(source.Height, height, memory);
        using var columnWeights = new FilterWeights(source.Width, width, memory);
        using Image<Vector3> squashed = memory.Rent<Vector3>(source.Width, height);

        squashed.FilterRows(source, rowWeights, static (rows, source, weights) => VerticalPass.Run(source, rows, weights));

        Image<Rgb24> target = memory.Rent<Rgb24>(width, height, layout);
        try
        {
            target.FilterRows(squashed, columnWeights, static (rows, squashed, weights) => HorizontalPass.Run(squashed, rows, weights));
            return target;
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }

    /// <summary>The size of what <see cref="Shrink"/> makes.</summary>
    public static (int Width, int Height) Fit(int width, int height, int maxSide)
    {
        double scale = Math.Min(1.0, (double)maxSide / Math.Max(width, height));
        return (Math.Max(1, (int)Math.Round(width * scale)), Math.Max(1, (int)Math.Round(height * scale)));
    }
}
