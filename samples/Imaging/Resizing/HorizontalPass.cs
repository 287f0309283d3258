using System.Numerics;
using Imaging.Memory;

namespace Imaging.Resizing;

/// <summary>Shrinks the width and rounds to bytes: every target pixel is a weighted sum of source pixels of its row.</summary>
internal static class HorizontalPass
{
    public static void Run(ReadOnlyPixelRows<Vector3> source, PixelRows<Rgb24> target, FilterWeights weights)
    {
        for (int y = 0; y < target.Height; y++)
        {
            ReadOnlySpan<Vector3> sourceRow = source[y];
            Span<Rgb24> targetRow = target[y];
            for (int x = 0; x < targetRow.Length; x++)
            {
                targetRow[x] = Round(WeightedSum(sourceRow[weights.FirstTap(x)..], weights.Taps(x)));
            }
        }
    }

    private static Vector3 WeightedSum(ReadOnlySpan<Vector3> pixels, ReadOnlySpan<float> taps)
    {
        pixels = pixels[..taps.Length];
        Vector3 sum = Vector3.Zero;
        for (int i = 0; i < taps.Length; i++)
        {
            sum += pixels[i] * taps[i];
        }

        return sum;
    }

    private static Rgb24 Round(Vector3 color)
    {
        Vector3 rounded = Vector3.Clamp(color, Vector3.Zero, new Vector3(255)) + new Vector3(0.5f);
        return new Rgb24((byte)rounded.X, (byte)rounded.Y, (byte)rounded.Z);
    }
}
