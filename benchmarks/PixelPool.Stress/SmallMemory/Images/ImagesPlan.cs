namespace PixelPool.Stress.SmallMemory.Images;

/// <summary>What each thread does in a round: the program that Pillow's arenas were measured with.</summary>
internal static class ImagesPlan
{
    /// <summary>Pixels of a row, and rows.</summary>
    public const int Side = 100;

    public const int ImageBytes = Side * Side * sizeof(uint);

    /// <summary>Images that a thread holds. It rents as many again, one after the other.</summary>
    public const int Held = 1024;

    public const int ImagesPerRound = 2 * Held;

    public const int MeasuredRounds = 5;

    /// <summary>So many more follow with <see cref="ManyThreads"/>: the measured ones still get memory, because the threads hold the most they hold together in a later round.</summary>
    public const int LaterRounds = 40;

    /// <summary>The number of threads of the first table.</summary>
    public const int ManyThreads = 16;

    public static IReadOnlyList<int> Threads { get; } = [1, 2, 4, 8, ManyThreads, 32];
}
