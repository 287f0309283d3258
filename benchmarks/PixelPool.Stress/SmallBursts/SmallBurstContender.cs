namespace PixelPool.Stress.SmallBursts;

/// <summary>Whose memory the pieces of a burst live in.</summary>
/// <param name="IsBound">Whether it promises to give everything back.</param>
internal sealed record SmallBurstContender(string Name, string Title, bool IsBound, Func<SmallMemory> Create)
{
    public static IReadOnlyList<SmallBurstContender> All { get; } =
    [
        new("slabs", "PixelPool, slabs, 64 B to 2 MiB", true, static () => new SlabMemory()),
        new("slabs-4-kib", "PixelPool, slabs, 4 KiB each", true, static () => new SlabMemory(4096)),
        new("fixed-blocks", "FixedBlockAllocator, 64 B each", true, static () => new FixedBlockMemory()),
        new("native", "NativeMemory (malloc), 64 B to 2 MiB", false, static () => new NativeSmallMemory()),
        new("arraypool", "ArrayPool.Shared, 64 B to 2 MiB", false, static () => new ArrayPoolSmallMemory()),
    ];

    public static SmallBurstContender Named(string name) => All.First(contender => contender.Name == name);
}
