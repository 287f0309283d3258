namespace PixelPool.Stress.ThreadScaling;

/// <summary>Images of 4-byte pixels, rented and returned untouched.</summary>
/// <param name="Name">In the figures.</param>
/// <param name="Title">On the page.</param>
/// <param name="Side">Pixels in a row, and rows; 0: eight images of random sizes are held.</param>
internal sealed record RentWorkload(string Name, string Title, int Side)
{
    public const int BlockBytes = 4 << 20;

    public static IReadOnlyList<RentWorkload> All { get; } =
    [
        new("small", "1 MiB (small tier)", 512),
        new("block", "4 MiB (one block)", 1024),
        new("blocks-16", "64 MiB (16 blocks)", 4096),
        new("random", "1 KiB to 16 MiB, 8 at random", 0),
    ];

    public int Bytes => Side * Side * sizeof(uint);

    public static RentWorkload Named(string name) => All.First(workload => workload.Name == name);
}
