using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Trimming;

public sealed class DemandTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly TestSystem _system = new();
    private readonly UniformUnmanagedMemoryPool _pool;

    public DemandTests() => _pool = _system.CreatePool(TrimPolicy.Demand);

    public void Dispose()
    {
        _pool.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void Idle_process_gives_everything_back_within_a_minute()
    {
        _pool.MakeIdle(40);
        _system.Time.Advance(TimeSpan.FromSeconds(25));
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 40);
        _system.Time.Advance(TimeSpan.FromSeconds(35));
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(_pool, rented: 0, idle: 0);
        Assert.Equal(40 * TestSystem.BlockBytes, statistics.TrimmedByTimerBytes);
        Assert.Equal(0, _system.Time.ActiveTimers);
        _system.Source.AssertAllFreed();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4.9)]
    [InlineData(5)]
    [InlineData(17)]
    [InlineData(300)]
    public void The_minute_counts_from_the_last_use_whenever_that_was(double secondsOfUse)
    {
        _pool.MakeIdle(8);
        _system.Time.Advance(TimeSpan.FromSeconds(secondsOfUse), TimeSpan.FromSeconds(0.1), () => _pool.Return(_pool.Rent(8)));
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 8);
        _system.Time.Advance(TimeSpan.FromMinutes(1));
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 0);
    }

    /// <summary>Idle blocks that would not suffice are left alone: taken and put back, they would look as if somebody needed them.</summary>
    [Fact]
    public void What_a_request_that_is_refused_cannot_use_is_given_back()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand, capacityInBlocks: 10);
        nint[] held = pool.Rent(6);
        pool.MakeIdle(4);
        nint[] asked = new nint[5];
        _system.Time.Advance(TimeSpan.FromMinutes(1), s_second, () => Assert.False(pool.TryRent(asked)));
        StatisticsAssert.Blocks(pool, rented: 6, idle: 0);
        pool.Return(held);
    }

    [Fact]
    public void Memory_rented_for_long_is_given_back_within_a_minute_of_its_return()
    {
        nint[] blocks = _pool.Rent(8);
        _system.Time.Advance(TimeSpan.FromHours(1));
        _pool.Return(blocks);
        _system.Time.Advance(TimeSpan.FromMinutes(1));
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 0);
    }

    [Theory]
    [InlineData(0.7)]
    [InlineData(3)]
    [InlineData(5)]
    [InlineData(11)]
    [InlineData(20)]
    public void Steady_work_never_loses_a_block_it_cycles_through(double secondsBetween)
    {
        _pool.MakeIdle(12);
        _system.Time.Advance(TimeSpan.FromMinutes(10), TimeSpan.FromSeconds(secondsBetween), () =>
        {
            nint[] large = _pool.Rent(8);
            nint[] small = _pool.Rent(4);
            _pool.Return(large);
            _pool.Return(small);
        });
        Assert.Equal(12, _system.Source.Allocations);
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(_pool, rented: 0, idle: 12);
        Assert.Equal((0, 1), (statistics.TrimmedBytes, statistics.Misses));
    }

    [Fact]
    public void Surplus_of_a_burst_goes_and_what_steady_work_needs_stays()
    {
        _pool.MakeIdle(30);
        _system.Time.Advance(TimeSpan.FromMinutes(1), s_second, () => _pool.Return(_pool.Rent(5)));
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 5);
        Assert.Equal(30, _system.Source.Allocations);
        _system.Time.Advance(TimeSpan.FromMinutes(5), s_second, () => _pool.Return(_pool.Rent(5)));
        Assert.Equal(30, _system.Source.Allocations);
    }

    [Fact]
    public void Bursts_within_the_window_keep_their_blocks()
    {
        int second = 0;
        _pool.MakeIdle(20);
        _system.Time.Advance(TimeSpan.FromMinutes(10), s_second, () => _pool.Return(_pool.Rent(++second % 25 == 0 ? 20 : 2)));
        Assert.Equal(20, _system.Source.Allocations);
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 20);
    }

    [Fact]
    public void Bursts_far_apart_do_not_keep_their_blocks()
    {
        int second = 0;
        int fewest = int.MaxValue;
        _pool.MakeIdle(20);
        _system.Time.Advance(TimeSpan.FromMinutes(10), s_second, () =>
        {
            _pool.Return(_pool.Rent(++second % 90 == 0 ? 20 : 2));
            fewest = Math.Min(fewest, _system.Source.LivePieces);
        });
        Assert.Equal(2, fewest);
        Assert.InRange(_system.Source.Allocations, 20 + (18 * 5), 20 + (18 * 6));
    }

    [Fact]
    public void Blocks_rented_at_the_tick_are_not_touched()
    {
        nint[] blocks = _pool.Rent(10);
        _pool.Return(blocks.AsSpan(0, 4));
        _system.Time.Advance(TimeSpan.FromMinutes(2));
        StatisticsAssert.Blocks(_pool, rented: 6, idle: 0);
        Assert.All(blocks[4..], block => Assert.True(_system.Source.IsLive(block)));
        _pool.Return(blocks.AsSpan(4));
    }

    [Fact]
    public void Trimmed_pool_fills_again()
    {
        for (int i = 1; i <= 3; i++)
        {
            _pool.MakeIdle(4);
            _system.Time.Advance(TimeSpan.FromMinutes(1));
            Assert.Equal((4 * i, 4 * i), (_system.Source.Allocations, _system.Source.Frees));
        }
    }
}
