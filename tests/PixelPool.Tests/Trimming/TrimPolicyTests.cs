using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Trimming;

public sealed class TrimPolicyTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(long.MinValue)]
    [InlineData(4_294_967_295 * TimeSpan.TicksPerMillisecond)]
    [InlineData(long.MaxValue)]
    public void Period_out_of_range_is_refused(long ticks) =>
        Assert.Equal("period", Assert.Throws<ArgumentOutOfRangeException>(() => TrimPolicy.Halving(new TimeSpan(ticks), 0.5)).ParamName);

    [Theory]
    [InlineData(0)]
    [InlineData(-0.1)]
    [InlineData(1.0000001)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(double.NegativeInfinity)]
    public void Rate_out_of_range_is_refused(double rate) =>
        Assert.Equal("rate", Assert.Throws<ArgumentOutOfRangeException>(() => TrimPolicy.Halving(TimeSpan.FromSeconds(1), rate)).ParamName);

    [Theory]
    [InlineData(1, double.Epsilon)]
    [InlineData(4_294_967_294 * TimeSpan.TicksPerMillisecond, 1)]
    public void Values_at_the_edges_work(long ticks, double rate)
    {
        using var system = new TestSystem();
        using UniformUnmanagedMemoryPool pool = system.CreatePool(TrimPolicy.Halving(new TimeSpan(ticks), rate));
        pool.MakeIdle(1);
        Assert.Equal(1, system.Time.ActiveTimers);
    }

    [Fact]
    public void Text_names_the_policy()
    {
        Assert.Equal("Demand", TrimPolicy.Demand.ToString());
        Assert.Equal("None", TrimPolicy.None.ToString());
        Assert.Equal("Halving(00:01:00, 0.25)", TrimPolicy.Halving(TimeSpan.FromMinutes(1), 0.25).ToString());
    }

    [Fact]
    public void None_gives_nothing_back_by_itself()
    {
        using var system = new TestSystem { ListensToCollections = true };
        using UniformUnmanagedMemoryPool pool = system.CreatePool(TrimPolicy.None);
        pool.MakeIdle(5);
        system.Pressure.High = true;
        system.Time.Advance(TimeSpan.FromDays(10));
        GC.Collect();
        GC.WaitForPendingFinalizers();
        StatisticsAssert.Blocks(pool, rented: 0, idle: 5);
        Assert.Equal((0, 0), (system.Time.Timers, system.Pressure.Questions));
        Assert.Equal(5 * TestSystem.BlockBytes, pool.Trim());
    }
}
