using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Trimming;

public sealed class HalvingTests : IDisposable
{
    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(2);

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Theory]
    [InlineData(0.5, 8, 4)]
    [InlineData(0.5, 7, 3)]
    [InlineData(0.5, 1, 0)]
    [InlineData(0.25, 8, 6)]
    [InlineData(0.1, 8, 7)]
    [InlineData(1, 8, 0)]
    [InlineData(double.Epsilon, 8, 7)]
    public void Trim_gives_the_fraction_back_and_touches_no_rented_block(double rate, int idle, int left)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Halving(s_period, rate));
        nint[] rented = pool.Rent(3);
        foreach (nint block in rented)
        {
            pool.Bytes(block).Fill(0x77);
        }

        pool.MakeIdle(idle);
        _system.Time.Advance(s_period / 2);
        StatisticsAssert.Blocks(pool, rented: 3, idle: idle);
        _system.Time.Advance(s_period / 2);
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(pool, rented: 3, idle: left);
        Assert.Equal((idle - left) * (long)TestSystem.BlockBytes, statistics.TrimmedByTimerBytes);
        Assert.Equal(statistics.TrimmedBytes, statistics.TrimmedByTimerBytes);
        Assert.Equal(3 + left, _system.Source.LivePieces);
        Assert.All(rented, block => Assert.Equal(-1, pool.Bytes(block).IndexOfAnyExcept((byte)0x77)));
    }

    [Fact]
    public void Every_period_halves_until_nothing_is_left_and_the_timer_rests()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Halving(s_period, 0.5));
        pool.MakeIdle(20);
        var left = new List<double>();
        while (_system.Time.ActiveTimers != 0)
        {
            _system.Time.Advance(s_period);
            left.Add(pool.GetStatistics().IdleBytes / (double)TestSystem.BlockBytes);
        }

        Assert.Equal([10, 5, 2, 1, 0], left);
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Blocks_that_were_idle_longest_go_first()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Halving(s_period, 0.5));
        nint[] blocks = pool.MakeIdle(6);
        _system.Time.Advance(s_period);
        Assert.Equal(blocks[3..].Order(), pool.Rent(3).Order());
    }

    [Fact]
    public void Use_between_two_periods_does_not_matter()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Halving(s_period, 0.5));
        pool.MakeIdle(8);
        pool.Return(pool.Rent(8));
        _system.Time.Advance(s_period);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 4);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(7)]
    [InlineData(12)]
    [InlineData(60)]
    [InlineData(3600)]
    public void Period_of_any_length_is_kept(int seconds)
    {
        // Pressure is looked at every 5 seconds; the policy acts at its own pace.
        var period = TimeSpan.FromSeconds(seconds);
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Halving(period, 0.5));
        pool.MakeIdle(16);
        for (int idle = 8; idle >= 2; idle /= 2)
        {
            _system.Time.Advance(period - TimeSpan.FromMilliseconds(1));
            StatisticsAssert.Blocks(pool, rented: 0, idle: idle * 2);
            _system.Time.Advance(TimeSpan.FromMilliseconds(1));
            StatisticsAssert.Blocks(pool, rented: 0, idle: idle);
        }
    }

    [Fact]
    public void Pools_keep_their_own_periods()
    {
        using UniformUnmanagedMemoryPool fast = _system.CreatePool(TrimPolicy.Halving(TimeSpan.FromSeconds(1), 0.5));
        using UniformUnmanagedMemoryPool slow = _system.CreatePool(TrimPolicy.Halving(TimeSpan.FromSeconds(4), 0.5));
        fast.MakeIdle(16);
        slow.MakeIdle(16);
        _system.Time.Advance(TimeSpan.FromSeconds(4));
        StatisticsAssert.Blocks(fast, rented: 0, idle: 1);
        StatisticsAssert.Blocks(slow, rented: 0, idle: 8);
        fast.Dispose();
        _system.Time.Advance(TimeSpan.FromSeconds(4));
        StatisticsAssert.Blocks(slow, rented: 0, idle: 4);
    }

    [Fact]
    public void Pressure_takes_everything_whatever_the_rate()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Halving(TimeSpan.FromHours(1), 0.01));
        nint[] rented = pool.Rent(2);
        pool.MakeIdle(10);
        _system.Pressure.High = true;
        _system.Time.Advance(TimeSpan.FromSeconds(5));
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(pool, rented: 2, idle: 0);
        Assert.Equal((10 * TestSystem.BlockBytes, 0), (statistics.TrimmedByPressureBytes, statistics.TrimmedByTimerBytes));
        pool.Return(rented);
    }
}
