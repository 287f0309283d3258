namespace ImageSharp.Tests.Infrastructure;

/// <summary>Allocators for tests: every rent is recorded, nothing is trimmed by the way.</summary>
internal static class TestAllocator
{
    /// <summary>Every kind.</summary>
    public static TheoryData<MemoryKind> Kinds => [.. Enum.GetValues<MemoryKind>()];

    public static PixelAllocator Create(MemoryKind kind = MemoryKind.Default, Action<PixelAllocatorOptions>? change = null)
    {
        var options = new PixelAllocatorOptions { LeakTracking = LeakTracking.Full, TrimPolicy = TrimPolicy.None };
        switch (kind)
        {
            case MemoryKind.Unpooled:
                options.MaxPooledBytes = 0;
                break;
            case MemoryKind.Slabs:
                options.SmallBuffers = SmallBufferStrategy.Slab;
                break;
            case MemoryKind.Budget:
                options.MaxRentedBytes = 4L << 30;
                break;
            case MemoryKind.Zeroed:
                options.SmallBuffers = SmallBufferStrategy.Slab;
                options.ClearOnReturn = true;
                break;
            case MemoryKind.SmallBlocks:
                options.BlockBytes = 64 << 10;
                options.SmallBufferThresholdBytes = 4096;
                break;
        }

        change?.Invoke(options);
        return PixelAllocator.Create(options);
    }

    /// <summary>Nothing is rented or charged, nothing leaked, and the accounts add up.</summary>
    public static void AssertQuiet(PixelAllocator allocator)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Empty(allocator.GetOutstandingRents());
        Assert.Equal((0, 0, 0), (statistics.RentedBytes, statistics.ChargedBytes, statistics.LeakedCount));
        Assert.Equal(statistics.AllocatedBytes - statistics.ReleasedBytes, statistics.RentedBytes + statistics.IdleBytes);
    }
}
