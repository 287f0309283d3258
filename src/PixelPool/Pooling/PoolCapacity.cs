namespace PixelPool.Pooling;

/// <summary>How many blocks a pool may hold.</summary>
internal static class PoolCapacity
{
    /// <summary>The part of the memory available to the process that the pool takes when nothing was configured.</summary>
    private const int DefaultDivisor = 8;

    /// <summary>The default in a 32-bit process, whose address space is what runs out, and where nobody knows how much memory there is.</summary>
    private const long FallbackBytes = 128L << 20;

    // What a source says may be nonsense: negative, zero, or the "no limit" number of a container. No machine lends a pool more than this.
    private const long MaxBytes = 1L << 40;

    // Far from where counting blocks in an int would overflow, with any number of requests under way.
    private const int MaxBlocks = 1 << 28;

    public static int InBlocks(PixelAllocatorOptions options)
    {
        if (options.MaxPooledBytes is { } configured)
        {
            return (int)Math.Min(configured / options.BlockBytes, MaxBlocks);
        }

        return DefaultInBlocks(IntPtr.Size == 4 ? 0 : options.MemoryPressure.GetAvailableBytes(), options.BlockBytes);
    }

    /// <summary>Whether the capacity is that of the memory that is available, which may change.</summary>
    public static bool IsVariable(PixelAllocatorOptions options) => options.MaxPooledBytes is null && IntPtr.Size != 4;

    /// <summary>The capacity when nothing was configured: at least one block.</summary>
    public static int DefaultInBlocks(long availableBytes, int blockBytes) =>
        (int)Math.Min(Math.Max(1, DefaultBytes(availableBytes) / blockBytes), MaxBlocks);

    public static long DefaultBytes(long availableBytes) =>
        availableBytes <= 0 ? FallbackBytes : Math.Min(availableBytes / DefaultDivisor, MaxBytes);
}
