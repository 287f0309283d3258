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

        long bytes = IntPtr.Size == 4 ? FallbackBytes : DefaultBytes(options.MemoryPressure.GetAvailableBytes());
        return (int)Math.Min(Math.Max(1, bytes / options.BlockBytes), MaxBlocks);
    }

    public static long DefaultBytes(long availableBytes) =>
        availableBytes <= 0 ? FallbackBytes : Math.Min(availableBytes / DefaultDivisor, MaxBytes);
}
