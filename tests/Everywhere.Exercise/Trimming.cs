namespace Everywhere.Exercise;

/// <summary>Idle memory leaves the process.</summary>
internal static class Trimming
{
    private const long Bytes = 64 << 20;

    public static void ResidentMemoryFalls()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 2 * Bytes, TrimPolicy = TrimPolicy.None });
        Fill(allocator);
        long full = Platform.ResidentBytes()!.Value;
        Checks.Equal(Bytes, allocator.GetStatistics().IdleBytes);
        Checks.Equal(Bytes / 2, allocator.TrimTo(Bytes / 2));
        Checks.Equal(Bytes / 2, allocator.Trim());
        long left = Platform.ResidentBytes()!.Value;
        Checks.True(full - left > Bytes * 3 / 4, $"{full >> 20} MiB were resident, and {left >> 20} MiB after {Bytes >> 20} MiB were given back");
        Checks.NothingIsLeft(allocator);
    }

    public static void StatisticsAddUp()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 2 * Bytes, TrimPolicy = TrimPolicy.Halving(TimeSpan.FromMinutes(1), 0.5) });
        Fill(allocator);
        Fill(allocator);
        allocator.Trim();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Checks.Equal((Bytes, Bytes, Bytes), (statistics.PeakHeldBytes, statistics.AllocatedBytes, statistics.ReleasedBytes));
        Checks.Equal((32L, 16L, 16L), (statistics.Rents, statistics.Hits, statistics.Misses));
        Checks.Equal((Bytes, Bytes), (statistics.TrimmedBytes, statistics.TrimmedByRequestBytes));
        Checks.Equal(
            (0L, 0L, 0L, 0L, 0L),
            (statistics.TrimmedByTimerBytes, statistics.TrimmedByGen2Bytes, statistics.TrimmedByPressureBytes, statistics.TrimmedByOutOfMemoryBytes, statistics.TrimmedByBudgetBytes));
        Checks.Equal((0L, 0L, 0L, 0L), (statistics.LeakedCount, statistics.LeakedBytes, statistics.SecondReturns, statistics.LongWaits));
        Checks.Equal((0L, 0L, 0L, TimeSpan.Zero), (statistics.SmallRents, statistics.UnpooledRents, statistics.AssembledRents, statistics.LongestWait));
        Checks.True(statistics.HugePageShare is >= 0 and <= 1 && statistics.HugePageBytes <= statistics.TouchedBytes, statistics.ToString());
    }

    public static void TheDefaultPoolHoldsSeveralImages()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using PixelBuffer<uint> read = allocator.Rent<uint>(1000, 1000);
        using PixelBuffer<uint> made = allocator.Rent<uint>(1000, 1000);
        Checks.Equal(0L, allocator.GetStatistics().UnpooledRents);
    }

    public static void PoolsGiveBlocks()
    {
        using var pool = new UniformUnmanagedMemoryPool(new PixelAllocatorOptions { MaxPooledBytes = 16 << 20 });
        Span<nint> blocks = stackalloc nint[3];
        Checks.Equal((true, 4 << 20, 16L << 20), (pool.TryRent(blocks), pool.BlockBytes, pool.MaxPooledBytes));
        Span<nint> more = stackalloc nint[2];
        Checks.Equal(false, pool.TryRent(more));
        foreach (nint block in blocks)
        {
            Write(block, pool.BlockBytes);
        }

        pool.Return(blocks);
        Checks.Equal((4L << 20, 8L << 20), (pool.TrimTo(8 << 20), pool.Trim()));
        Checks.Equal(0L, pool.GetStatistics().IdleBytes);
    }

    private static unsafe void Write(nint block, int bytes) => new Span<byte>((void*)block, bytes).Fill(7);

    private static void Fill(PixelAllocator allocator)
    {
        var images = new List<PixelBuffer<uint>>();
        for (long bytes = 0; bytes < Bytes; bytes += 4 << 20)
        {
            PixelBuffer<uint> image = allocator.Rent<uint>(1024, 1024);
            image.Fill(7);
            images.Add(image);
        }

        images.ForEach(static image => image.Dispose());
    }
}
