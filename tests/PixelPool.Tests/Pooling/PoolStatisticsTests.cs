using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

public sealed class PoolStatisticsTests : IDisposable
{
    private const long Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Every_figure_is_exact_after_every_step()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 8);
        Check(pool, new PixelPoolStatistics());

        nint[] three = pool.Rent(3);
        Check(pool, new() { RentedBytes = 3 * Block, AllocatedBytes = 3 * Block, PeakHeldBytes = 3 * Block, Misses = 1 });

        pool.Return(three);
        Check(pool, new() { IdleBytes = 3 * Block, AllocatedBytes = 3 * Block, PeakHeldBytes = 3 * Block, Misses = 1 });

        nint[] two = pool.Rent(2);
        Check(pool, new() { RentedBytes = 2 * Block, IdleBytes = Block, AllocatedBytes = 3 * Block, PeakHeldBytes = 3 * Block, Misses = 1, Hits = 1 });

        nint[] four = pool.Rent(4);
        Check(pool, new() { RentedBytes = 6 * Block, AllocatedBytes = 6 * Block, PeakHeldBytes = 6 * Block, Misses = 2, Hits = 1 });

        Assert.False(pool.TryRent(new nint[3]));
        Check(pool, new() { RentedBytes = 6 * Block, AllocatedBytes = 6 * Block, PeakHeldBytes = 6 * Block, Misses = 2, Hits = 1 });

        pool.Return(four);
        Assert.Equal(2 * Block, pool.TrimTo(2 * Block));
        Check(pool, new()
        {
            RentedBytes = 2 * Block,
            IdleBytes = 2 * Block,
            AllocatedBytes = 6 * Block,
            ReleasedBytes = 2 * Block,
            PeakHeldBytes = 6 * Block,
            Misses = 2,
            Hits = 1,
            TrimmedByRequestBytes = 2 * Block,
        });

        pool.Dispose();
        pool.Return(two);
        Check(pool, new()
        {
            AllocatedBytes = 6 * Block,
            ReleasedBytes = 6 * Block,
            PeakHeldBytes = 6 * Block,
            Misses = 2,
            Hits = 1,
            TrimmedByRequestBytes = 2 * Block,
        });
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Random_steps_keep_the_sums()
    {
        int seed = Random.Shared.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 32);
        var rented = new List<nint>();
        long most = 0;
        for (int i = 0; i < 2_000; i++)
        {
            switch (random.Next(10))
            {
                case < 5:
                    nint[] blocks = new nint[random.Next(1, 8)];
                    bool fits = rented.Count + blocks.Length <= 32;
                    Assert.Equal(fits, pool.TryRent(blocks));
                    rented.AddRange(fits ? blocks : []);
                    break;
                case < 9:
                    int count = random.Next(rented.Count + 1);
                    pool.Return([.. rented.Take(count)]);
                    rented.RemoveRange(0, count);
                    break;
                default:
                    pool.TrimTo(random.Next(5) * Block);
                    break;
            }

            PixelPoolStatistics statistics = pool.GetStatistics();
            StatisticsAssert.Balanced(statistics);
            Assert.Equal(rented.Count * Block, statistics.RentedBytes);
            Assert.Equal(_system.Source.LiveBytes, statistics.RentedBytes + statistics.IdleBytes);
            Assert.Equal(_system.Source.AllocatedBytes, statistics.AllocatedBytes);
            most = Math.Max(most, statistics.RentedBytes + statistics.IdleBytes);
            Assert.Equal(most, statistics.PeakHeldBytes);
        }

        pool.Return([.. rented]);
    }

    [Fact]
    public void Peak_of_pooled_rents_is_kept_without_anybody_reading_it()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] five = pool.Rent(5);
        nint[] seven = pool.Rent(7);
        pool.Return(five);
        pool.Return(seven);
        pool.Return(pool.Rent(9));
        Assert.Equal(12 * Block, pool.GetStatistics().PeakHeldBytes);
        pool.Trim();
        pool.Return(pool.Rent(2));
        Assert.Equal(12 * Block, pool.GetStatistics().PeakHeldBytes);
    }

    [Fact]
    public void Peak_counts_pooled_and_unpooled_memory_together()
    {
        using PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: 1);
        using (allocator.Rent<byte>(TestSystem.BlockBytes, 1))
        using (allocator.Rent<byte>(TestSystem.BlockBytes, 1))
        {
        }

        Assert.Equal(2 * Block, allocator.GetStatistics().PeakHeldBytes);
    }

    [Fact]
    public void Allocated_and_released_of_small_arrays_come_and_go_with_the_rent()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using (allocator.Rent<byte>(800, 1))
        {
            PixelPoolStatistics during = allocator.GetStatistics();
            StatisticsAssert.Balanced(during);
            Assert.Equal((1024, 1024, 0), (during.RentedBytes, during.AllocatedBytes, during.ReleasedBytes));
        }

        PixelPoolStatistics after = allocator.GetStatistics();
        StatisticsAssert.Balanced(after);
        Assert.Equal((0, 1024, 1024, 1), (after.RentedBytes, after.AllocatedBytes, after.ReleasedBytes, after.SmallRents));
    }

    [Fact]
    public void Text_has_human_sizes()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        pool.MakeIdle(24);
        pool.Rent(1);
        Assert.Equal(
            "64 KiB rented, 1.44 MiB idle (peak 1.5 MiB); 2 rents: 1 hit, 1 miss, 0 small, 0 unpooled; 0 B trimmed; 0 leaked (0 B)",
            pool.GetStatistics().ToString());
    }

    private static void Check(UniformUnmanagedMemoryPool pool, PixelPoolStatistics expected)
    {
        Assert.Equal(expected, pool.GetStatistics());
        StatisticsAssert.Balanced(expected);
    }
}
