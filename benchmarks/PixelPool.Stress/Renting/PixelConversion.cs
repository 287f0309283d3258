using System.Numerics;

namespace PixelPool.Stress.Renting;

/// <summary>From RGBA to BGRA, pixel by pixel: cheap, and it reads and writes every byte.</summary>
internal static class PixelConversion
{
    public static void SwapRedAndBlue(ReadOnlySpan<uint> source, Span<uint> target)
    {
        target = target[..source.Length];
        for (int i = 0; i < source.Length; i++)
        {
            uint pixel = source[i];
            target[i] = (pixel & 0xFF00FF00) | BitOperations.RotateLeft(pixel & 0x00FF00FF, 16);
        }
    }

    public static void SwapRedAndBlue(PixelAccessor<uint> source, PixelAccessor<uint> target)
    {
        for (int y = 0; y < source.Height; y++)
        {
            SwapRedAndBlue(source.GetRowSpan(y), target.GetRowSpan(y));
        }
    }
}
