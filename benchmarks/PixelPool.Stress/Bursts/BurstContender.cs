using Imaging.Memory;

namespace PixelPool.Stress.Bursts;

/// <summary>Whose memory the images of a burst live in.</summary>
internal sealed record BurstContender(string Name, string Title, Func<ImageMemory> Create)
{
    public static IReadOnlyList<BurstContender> All { get; } =
    [
        new("pixelpool-demand", "PixelPool, Demand (default)", () => Pooled(TrimPolicy.Demand)),
        new("pixelpool-halving", "PixelPool, Halving (5 s, 0.5)", () => Pooled(TrimPolicy.Halving(TimeSpan.FromSeconds(5), 0.5))),
        new("pixelpool-none", "PixelPool, None", () => Pooled(TrimPolicy.None)),
        new("arraypool", "ArrayPool<byte>.Shared", () => new ArrayPoolImageMemory()),
        new("native", "NativeMemory (malloc)", () => new NativeImageMemory()),
        new("gc", "new byte[]", () => new ManagedImageMemory()),
    ];

    public static BurstContender Named(string name) => All.First(contender => contender.Name == name);

    private static PooledImageMemory Pooled(TrimPolicy policy) =>
        new(PixelAllocator.Create(new PixelAllocatorOptions { TrimPolicy = policy }));
}
