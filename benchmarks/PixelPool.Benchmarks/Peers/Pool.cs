namespace PixelPool.Benchmarks.Peers;

/// <summary>The allocators that are measured: default options, but for a capacity that does not depend on the machine.</summary>
internal static class Pool
{
    public const int BlockBytes = 4 << 20;

    /// <summary>What is at most this large is rented from <see cref="System.Buffers.ArrayPool{T}"/>, also by PixelPool.</summary>
    public const int SmallBytes = 1 << 20;

    private const long Capacity = 1 << 30;

    public static readonly PixelAllocator Allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = Capacity });

    /// <summary>Small memory comes from blocks here.</summary>
    public static readonly PixelAllocator Slabs =
        PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = Capacity, SmallBuffers = SmallBufferStrategy.Slab });
}
