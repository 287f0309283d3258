using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

public sealed class PoolCapacityTests : IDisposable
{
    private const long MiB = 1 << 20;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 0)]
    [InlineData(TestSystem.BlockBytes - 1, 0)]
    [InlineData(TestSystem.BlockBytes, 1)]
    [InlineData(TestSystem.BlockBytes + 1, 1)]
    [InlineData((10 * TestSystem.BlockBytes) - 1, 9)]
    [InlineData(10 * TestSystem.BlockBytes, 10)]
    public void Configured_capacity_is_rounded_down_to_whole_blocks(long bytes, int blocks)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(configure: options => options.MaxPooledBytes = bytes);
        Assert.Equal((long)blocks * TestSystem.BlockBytes, pool.MaxPooledBytes);
        Assert.False(pool.TryRent(new nint[blocks + 1]));
        pool.Rent(blocks);
        Assert.False(pool.TryRent(new nint[1]));
        Assert.Equal(blocks, _system.Source.LivePieces);
    }

    [Fact]
    public void Absurd_configured_capacity_is_clamped_and_works()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(configure: static options => options.MaxPooledBytes = long.MaxValue);
        Assert.InRange(pool.MaxPooledBytes, 1L << 40, long.MaxValue - 1);
        Assert.Equal(0, pool.MaxPooledBytes % TestSystem.BlockBytes);
        Assert.Equal(100, pool.Rent(100).Distinct().Count());
    }

    [Theory]
    [InlineData(1024 * MiB, 128 * MiB)]
    [InlineData((1024 * MiB) + (8 * TestSystem.BlockBytes) - 1, 128 * MiB)]
    [InlineData((1024 * MiB) + (8 * TestSystem.BlockBytes), (128 * MiB) + TestSystem.BlockBytes)]
    [InlineData(64L << 30, 8L << 30)]
    [InlineData(100, TestSystem.BlockBytes)]
    [InlineData(0, 128 * MiB)]
    [InlineData(-1, 128 * MiB)]
    [InlineData(long.MinValue, 128 * MiB)]
    [InlineData(long.MaxValue, 1L << 40)]
    [InlineData(9223372036854771712, 1L << 40)]
    public void Default_capacity_is_an_eighth_of_the_memory_there_is(long available, long expected)
    {
        Assert.SkipWhen(IntPtr.Size == 4, "A 32-bit process has a fixed default.");
        _system.Pressure.AvailableBytes = available;
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(configure: static options => options.MaxPooledBytes = null);
        Assert.Equal(expected, pool.MaxPooledBytes);
        pool.Return(pool.Rent(1));
    }

    [Fact]
    public void Default_capacity_of_the_real_system_is_between_one_block_and_all_of_its_memory()
    {
        using var pool = new UniformUnmanagedMemoryPool();
        Assert.InRange(pool.MaxPooledBytes, pool.BlockBytes, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);
    }

    [Fact]
    public void Who_asks_the_real_system_keeps_an_interrupt()
    {
        Assert.SkipWhen(IntPtr.Size == 4, "A 32-bit process has a fixed default.");
        using var pool = new UniformUnmanagedMemoryPool();
        using var never = new ManualResetEvent(false);
        var blocks = new nint[8];
        Thread.CurrentThread.Interrupt();
        Assert.True(pool.TryRent(blocks));
        Assert.Throws<ThreadInterruptedException>(() => never.WaitOne(TimeSpan.FromMinutes(1)));
        pool.Return(blocks);
    }

    [Theory]
    [InlineData(0, 128 * MiB)]
    [InlineData(-5, 128 * MiB)]
    [InlineData(7, 1)]
    [InlineData(8 * MiB, 2 * MiB)]
    [InlineData(60_000_000, 15_000_000)]
    [InlineData(64 * MiB, 16 * MiB)]
    [InlineData(128 * MiB, 16 * MiB)]
    [InlineData(256 * MiB, 32 * MiB)]
    [InlineData(long.MaxValue, 1L << 40)]
    public void Default_in_bytes(long available, long expected) => Assert.Equal(expected, PoolCapacity.DefaultBytes(available));

    [Theory]
    [InlineData(60_000_000, 3)]
    [InlineData(64 * MiB, 4)]
    [InlineData(128 * MiB, 4)]
    public void Default_of_a_small_process_is_more_than_one_block(long available, int blocks) =>
        Assert.Equal(blocks, PoolCapacity.DefaultInBlocks(available, blockBytes: 4 << 20));

    [Fact]
    public void Configured_capacity_does_not_ask_how_much_memory_there_is()
    {
        _system.Pressure.Failure = new InvalidOperationException("asked");
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 2);
        Assert.Equal(2 * TestSystem.BlockBytes, pool.MaxPooledBytes);
    }

    [Fact]
    public void Trimmed_blocks_make_room_for_others()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 4);
        for (int i = 0; i < 10; i++)
        {
            pool.MakeIdle(4);
            Assert.Equal(4 * TestSystem.BlockBytes, pool.Trim());
        }

        Assert.Equal((40, 40), (_system.Source.Allocations, _system.Source.Frees));
    }

    [Fact]
    public void Who_fits_is_not_refused_because_another_one_asks_for_too_much()
    {
        var capacity = new PoolCapacity(_system.Options(capacityInBlocks: 100));
        Assert.True(capacity.TryReserve(50));
        bool isOver = false;
        Simultaneously.Run(2, thread =>
        {
            for (int i = 0; thread == 0 ? i < 1_000_000 : !Volatile.Read(ref isOver); i++)
            {
                Assert.Equal(thread == 0, capacity.TryReserve(thread == 0 ? 1 : 60));
                capacity.Release(1 - thread);
            }

            Volatile.Write(ref isOver, true);
        });
        Assert.Equal(50, capacity.Blocks);
    }

    [Fact]
    public void Capacity_is_never_exceeded_by_threads_that_want_the_last_blocks()
    {
        const int Capacity = 5;
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(Capacity);
        int most = 0;
        _system.Source.OnAllocate = _ => InterlockedMax(ref most, _system.Source.LivePieces + 1);
        long[] rents = new long[4];
        Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, worker =>
        {
            for (int i = 0; i < 2_000; i++)
            {
                nint[] blocks = new nint[1 + ((i + worker) % 3)];
                if (pool.TryRent(blocks))
                {
                    rents[worker]++;
                    pool.Return(blocks);
                }

                if (i % 97 == 0)
                {
                    pool.Trim();
                }
            }
        });
        Assert.InRange(most, 1, Capacity);
        Assert.Equal(rents.Sum(), pool.GetStatistics().Rents);
        StatisticsAssert.Balanced(pool.GetStatistics());
        Assert.Equal(Capacity, pool.Rent(Capacity).Distinct().Count());
    }

    private static void InterlockedMax(ref int most, int value)
    {
        int seen;
        while (value > (seen = Volatile.Read(ref most)) && Interlocked.CompareExchange(ref most, value, seen) != seen)
        {
        }
    }
}
