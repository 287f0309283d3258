using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

/// <summary>A capacity that nobody configured follows the memory that is available.</summary>
public sealed class ChangingCapacityTests : IDisposable
{
    private const long Block = TestSystem.BlockBytes;

    // Of so little memory the default takes a quarter.
    private const int Divisor = 4;

    private static readonly TimeSpan s_tick = TimeSpan.FromSeconds(5);

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Timer_sees_that_less_is_available_and_trims_to_fit()
    {
        using UniformUnmanagedMemoryPool pool = CreatePool(capacityInBlocks: 8);
        nint[] rented = pool.Rent(2);
        pool.MakeIdle(6);
        _system.Pressure.AvailableBytes = 5 * Block * Divisor;
        Assert.Equal(8 * Block, pool.MaxPooledBytes);
        _system.Time.Advance(s_tick);
        Assert.Equal(5 * Block, pool.MaxPooledBytes);
        Assert.Equal(3 * Block, StatisticsAssert.Blocks(pool, rented: 2, idle: 3).TrimmedByPressureBytes);

        Assert.True(pool.TryRent(new nint[3]));
        Assert.False(pool.TryRent(new nint[1]));
        pool.Return(rented);
    }

    [Fact]
    public void What_is_rented_above_a_capacity_that_fell_leaves_when_it_comes_back()
    {
        using UniformUnmanagedMemoryPool pool = CreatePool(capacityInBlocks: 8);
        nint[] rented = pool.Rent(7);
        pool.MakeIdle(1);
        _system.Pressure.AvailableBytes = 3 * Block * Divisor;
        _system.Time.Advance(s_tick);
        StatisticsAssert.Blocks(pool, rented: 7, idle: 0);
        Assert.False(pool.TryRent(new nint[1]));
        pool.Return(rented);
        _system.Time.Advance(s_tick);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 3);
        Assert.Equal(3, pool.Rent(3).Distinct().Count());
    }

    [Fact]
    public void More_is_held_when_more_is_available()
    {
        using UniformUnmanagedMemoryPool pool = CreatePool(capacityInBlocks: 2);
        nint[] rented = pool.MakeIdle(2);
        Assert.False(pool.TryRent(new nint[3]));
        _system.Pressure.AvailableBytes = 3 * Block * Divisor;
        _system.Time.Advance(s_tick);
        Assert.Equal(3 * Block, pool.MaxPooledBytes);
        rented = pool.Rent(3);
        Assert.Equal(3, rented.Distinct().Count());
    }

    [Fact]
    public void Collection_looks_too_when_nothing_is_idle()
    {
        using var system = new TestSystem { ListensToCollections = true };
        system.Pressure.AvailableBytes = 4 * Block * Divisor;
        using UniformUnmanagedMemoryPool pool = system.CreatePool(configure: static options =>
        {
            options.MaxPooledBytes = null;
            options.TrimPolicy = TrimPolicy.Demand;
        });
        system.Pressure.AvailableBytes = 9 * Block * Divisor;
        Collector.CollectAll();
        Assert.Equal(9 * Block, pool.MaxPooledBytes);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(long.MinValue)]
    public void Source_that_knows_nothing_any_more_changes_nothing(long available)
    {
        using UniformUnmanagedMemoryPool pool = CreatePool(capacityInBlocks: 8);
        pool.MakeIdle(6);
        _system.Pressure.AvailableBytes = available;
        _system.Time.Advance(s_tick);
        Assert.Equal(8 * Block, pool.MaxPooledBytes);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 6);
    }

    [Fact]
    public void Source_that_throws_changes_nothing()
    {
        using UniformUnmanagedMemoryPool pool = CreatePool(capacityInBlocks: 8);
        pool.MakeIdle(6);
        _system.Pressure.Failure = new InvalidOperationException();
        _system.Time.Advance(s_tick);
        Assert.Equal(8 * Block, pool.MaxPooledBytes);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 6);
    }

    [Fact]
    public void Configured_capacity_stays()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand, capacityInBlocks: 8);
        pool.MakeIdle(6);
        _system.Pressure.AvailableBytes = Divisor * Block;
        _system.Time.Advance(s_tick);
        Assert.Equal(8 * Block, pool.MaxPooledBytes);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 6);
    }

    [Fact]
    public void Images_over_a_capacity_that_fell_are_unpooled()
    {
        _system.Pressure.AvailableBytes = 8 * Block * Divisor;
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.MaxPooledBytes = null;
            options.TrimPolicy = TrimPolicy.Demand;
        });
        using (allocator.Rent<byte>((int)Block, 8))
        {
            Assert.Equal(0, allocator.GetStatistics().UnpooledRents);
        }

        _system.Pressure.AvailableBytes = 2 * Block * Divisor;
        _system.Time.Advance(s_tick);
        using PixelBuffer<byte> image = allocator.Rent<byte>((int)Block, 8);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((1, 2 * Block), (statistics.UnpooledRents, statistics.IdleBytes));
    }

    [Fact]
    public void Runs_are_never_shorter_than_asked_for_while_the_capacity_changes()
    {
        using UniformUnmanagedMemoryPool pool = CreatePool(capacityInBlocks: 64);
        using var stop = new CancellationTokenSource();
        var changing = new Thread(() =>
        {
            for (long blocks = 1; !stop.IsCancellationRequested; blocks = (blocks % 64) + 1)
            {
                _system.Pressure.AvailableBytes = blocks * Block * Divisor;
                pool.Blocks.Trimmer.RefreshCapacity();
            }
        });
        changing.Start();
        try
        {
            for (int i = 0; i < 200_000; i++)
            {
                int blocks = 2 + (i % 60);
                Assert.True(pool.Blocks.RunLength(blocks) >= blocks);
            }
        }
        finally
        {
            stop.Cancel();
            changing.Join();
        }
    }

    private UniformUnmanagedMemoryPool CreatePool(int capacityInBlocks)
    {
        _system.Pressure.AvailableBytes = capacityInBlocks * Block * Divisor;
        return _system.CreatePool(configure: static options =>
        {
            options.MaxPooledBytes = null;
            options.TrimPolicy = TrimPolicy.Demand;
        });
    }
}
