namespace PixelPool.Tests.Infrastructure;

/// <summary>What must be true of statistics at every quiet moment.</summary>
internal static class StatisticsAssert
{
    /// <summary>Rented and idle are what was got and not given back, nothing is negative, and the peak is not below what is held.</summary>
    public static void Balanced(in PixelPoolStatistics statistics)
    {
        Assert.Equal(statistics.AllocatedBytes - statistics.ReleasedBytes, statistics.RentedBytes + statistics.IdleBytes);
        Assert.True(statistics.RentedBytes >= 0 && statistics.IdleBytes >= 0, statistics.ToString());
        Assert.True(statistics.PeakHeldBytes >= statistics.RentedBytes + statistics.IdleBytes, statistics.ToString());
    }

    /// <summary>As <see cref="Balanced"/>, and the numbers of blocks are these.</summary>
    public static PixelPoolStatistics Blocks(UniformUnmanagedMemoryPool pool, int rented, int idle)
    {
        PixelPoolStatistics statistics = pool.GetStatistics();
        Assert.Equal((rented, idle), (statistics.RentedBytes / (double)pool.BlockBytes, statistics.IdleBytes / (double)pool.BlockBytes));
        Balanced(statistics);
        return statistics;
    }

    /// <summary>As <see cref="Balanced"/>, and of the blocks so many have pieces in use, and so many have none: those are in the depot.</summary>
    public static void Cut(UniformUnmanagedMemoryPool pool, int inUse, int empty)
    {
        PixelPoolStatistics statistics = pool.GetStatistics();
        int found = pool.Blocks.Depot.Stripes.Sum(static stripe => stripe.IdleBlocks);
        Assert.Equal((inUse, empty), (((statistics.AllocatedBytes - statistics.ReleasedBytes) / pool.BlockBytes) - found, found));
        Balanced(statistics);
    }
}
