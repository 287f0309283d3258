using Imaging.Memory;
using PixelPool;

namespace Imaging.Testing;

/// <summary>Every kind of memory that images of a run can live in, by name.</summary>
public static class Memories
{
    /// <summary>The pool with blocks so small that images of tests lie in several.</summary>
    private const string SmallBlocks = "SmallBlocks";

    public static IReadOnlyList<string> Names { get; } = [.. Enum.GetNames<AllocatorKind>(), SmallBlocks];

    public static TheoryData<string> All => [.. Names];

    public static ImageMemory Create(string name) =>
        name == SmallBlocks ? InSmallBlocks() : ImageMemory.Create(Enum.Parse<AllocatorKind>(name), name);

    public static ImageMemory InSmallBlocks() => new PooledImageMemory(PixelAllocator.Create(new PixelAllocatorOptions
    {
        BlockBytes = 64 << 10,
        SmallBuffers = SmallBufferStrategy.None,
    }));

    /// <summary>Everything was given back, and none of it by a finalizer.</summary>
    public static void AssertNothingIsRented(ImageMemory memory)
    {
        if (memory.Statistics is { } statistics)
        {
            Assert.Equal(0, statistics.RentedBytes);
            Assert.Equal(0, statistics.LeakedCount);
        }
    }
}
