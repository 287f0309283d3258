namespace PixelPool.Stress.SmallMemory;

/// <summary>Sizes of which there are as many in every doubling.</summary>
internal static class RandomSizes
{
    public const int SmallestBytes = 64;
    public const int LargestBytes = 1 << 20;

    /// <summary>Pixels of 4 bytes.</summary>
    public static int NextPixels(Random random) =>
        (int)(SmallestBytes * Math.Pow((double)LargestBytes / SmallestBytes, random.NextDouble())) / sizeof(uint);
}
