using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Trimming;

/// <summary>When the timer runs, what pressure does, how much a request gives back.</summary>
public sealed class TrimSchedulingTests : IDisposable
{
    private const long Block = TestSystem.BlockBytes;

    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Timer_is_armed_only_while_something_is_idle()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        Assert.Equal(0, _system.Time.ActiveTimers);
        nint[] blocks = pool.Rent(2);
        Assert.Equal(0, _system.Time.ActiveTimers);
        pool.Return(blocks.AsSpan(0, 1));
        Assert.Equal(1, _system.Time.ActiveTimers);
        pool.Return(blocks.AsSpan(1));
        Assert.Equal(1, _system.Time.ActiveTimers);
        _system.Time.Advance(s_minute);
        Assert.Equal(0, _system.Time.ActiveTimers);
        pool.MakeIdle(1);
        Assert.Equal(1, _system.Time.ActiveTimers);
        pool.Trim();
        _system.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(0, _system.Time.ActiveTimers);
    }

    [Fact]
    public void Timer_rests_when_everything_is_rented_at_the_tick()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        pool.MakeIdle(3);
        nint[] blocks = pool.Rent(3);
        _system.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(0, _system.Time.ActiveTimers);
        pool.Return(blocks);
        Assert.Equal(1, _system.Time.ActiveTimers);
    }

    [Fact]
    public void Guarded_returns_arm_the_timer_too()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.TrimPolicy = TrimPolicy.Demand);
        allocator.Rent<byte>(TestSystem.BlockBytes, 2).Dispose();
        Assert.Equal(1, _system.Time.ActiveTimers);
        _system.Time.Advance(s_minute);
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Disposed_pool_has_no_timer()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        nint[] rented = pool.Rent(1);
        pool.MakeIdle(1);
        pool.Dispose();
        Assert.Equal(0, _system.Time.Timers);
        pool.Return(rented);
        Assert.Equal(0, _system.Time.Timers);
        _system.Time.Advance(s_minute);
        Assert.Equal(0, _system.Pressure.Questions);
    }

    [Fact]
    public void Pressure_empties_the_pool_at_the_next_tick_and_no_rented_block()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        nint[] rented = pool.Rent(2);
        pool.MakeIdle(9);
        _system.Pressure.High = true;
        _system.Time.Advance(TimeSpan.FromSeconds(5));
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(pool, rented: 2, idle: 0);
        Assert.Equal((9 * Block, 9 * Block), (statistics.TrimmedByPressureBytes, statistics.TrimmedBytes));
        _system.Pressure.High = false;
        pool.Return(rented);
        _system.Time.Advance(TimeSpan.FromSeconds(5));
        StatisticsAssert.Blocks(pool, rented: 0, idle: 2);
    }

    [Fact]
    public void Pressure_is_looked_at_every_five_seconds_however_long_the_period()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Halving(TimeSpan.FromDays(1), 0.5));
        pool.MakeIdle(4);
        for (int i = 1; i <= 10; i++)
        {
            _system.Time.Advance(TimeSpan.FromSeconds(5));
            Assert.True(_system.Pressure.Questions >= i, $"{_system.Pressure.Questions} questions after {i} ticks");
        }

        StatisticsAssert.Blocks(pool, rented: 0, idle: 4);
    }

    [Fact]
    public void Nobody_asks_about_pressure_while_nothing_is_idle()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        nint[] rented = pool.Rent(3);
        _system.Time.Advance(TimeSpan.FromHours(1));
        Assert.Equal(0, _system.Pressure.Questions);
        pool.Return(rented);
    }

    [Fact]
    public void Pressure_source_that_throws_is_one_that_does_not_know()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        pool.MakeIdle(4);
        _system.Pressure.Failure = new IOException("no figures");
        _system.Time.Advance(TimeSpan.FromSeconds(20));
        Assert.True(_system.Pressure.Questions > 0);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 4);
        _system.Time.Advance(TimeSpan.FromSeconds(40));
        Assert.Equal(4 * Block, StatisticsAssert.Blocks(pool, rented: 0, idle: 0).TrimmedByTimerBytes);
    }

    [Fact]
    public void Several_pools_are_trimmed_each_by_its_own_use()
    {
        using UniformUnmanagedMemoryPool idle = _system.CreatePool(TrimPolicy.Demand);
        using UniformUnmanagedMemoryPool busy = _system.CreatePool(TrimPolicy.Demand);
        using UniformUnmanagedMemoryPool kept = _system.CreatePool(TrimPolicy.None);
        idle.MakeIdle(3);
        busy.MakeIdle(4);
        kept.MakeIdle(5);
        _system.Time.Advance(s_minute, TimeSpan.FromSeconds(1), () => busy.Return(busy.Rent(4)));
        StatisticsAssert.Blocks(idle, rented: 0, idle: 0);
        StatisticsAssert.Blocks(busy, rented: 0, idle: 4);
        StatisticsAssert.Blocks(kept, rented: 0, idle: 5);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 0)]
    [InlineData(Block - 1, 0)]
    [InlineData(Block, 1)]
    [InlineData((3 * Block) + 5, 3)]
    [InlineData(7 * Block, 7)]
    [InlineData(100 * Block, 7)]
    [InlineData(long.MaxValue, 7)]
    public void TrimTo_leaves_at_most_what_it_was_told(long idleBytes, int left)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] blocks = pool.Rent(9);
        pool.Return(blocks.AsSpan(2));
        Assert.Equal((7 - left) * Block, pool.TrimTo(idleBytes));
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(pool, rented: 2, idle: left);
        Assert.Equal((7 - left) * Block, statistics.TrimmedByRequestBytes);
        Assert.Equal(0, pool.TrimTo(idleBytes));
        Assert.Equal(left * Block, pool.Trim());
        Assert.Equal(0, pool.Trim());
        Assert.Equal(7 * Block, pool.GetStatistics().TrimmedByRequestBytes);
    }

    [Fact]
    public void Trim_takes_more_than_one_batch()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 300);
        pool.MakeIdle(300);
        Assert.Equal(170 * Block, pool.TrimTo(130 * Block));
        Assert.Equal(130 * Block, pool.Trim());
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Allocator_trims_as_its_pool_does()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        Assert.Equal("idleBytes", Assert.Throws<ArgumentOutOfRangeException>(() => allocator.TrimTo(-1)).ParamName);
        using PixelBuffer<byte> held = allocator.Rent<byte>(TestSystem.BlockBytes, 1);
        allocator.Rent<byte>(TestSystem.BlockBytes, 6).Dispose();
        Assert.Equal(4 * Block, allocator.TrimTo(2 * Block));
        Assert.Equal(2 * Block, allocator.Trim());
        Assert.Equal((Block, 0, 6 * Block), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes, allocator.GetStatistics().TrimmedBytes));
    }

    [Fact]
    public void Policy_remembers_nothing_of_blocks_that_a_request_took()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        pool.MakeIdle(10);
        _system.Time.Advance(TimeSpan.FromSeconds(28));
        pool.TrimTo(4 * Block);
        pool.Return(pool.Rent(3));
        _system.Time.Advance(TimeSpan.FromSeconds(10));
        StatisticsAssert.Blocks(pool, rented: 0, idle: 3);
    }
}
