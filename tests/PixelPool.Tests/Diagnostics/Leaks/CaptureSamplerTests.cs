using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>How long the sampler of rents rests after each capture.</summary>
public sealed class CaptureSamplerTests
{
    private readonly ManualTime _time = new();

    private TimeSpan Now => TimeSpan.FromTicks(_time.GetTimestamp());

    [Fact]
    public void It_rests_200_times_as_long_as_a_capture_took()
    {
        CaptureSampler sampler = CreateSampler();
        Assert.True(sampler.TryBegin(Now));
        TimeSpan began = Now;
        Assert.False(sampler.TryBegin(Now));
        _time.Advance(TimeSpan.FromMilliseconds(1));
        sampler.End(began, Now);
        _time.Advance(TimeSpan.FromMilliseconds(200) - TimeSpan.FromTicks(1));
        Assert.False(sampler.TryBegin(Now));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.True(sampler.TryBegin(Now));
    }

    [Fact]
    public void It_rests_at_least_a_tenth_of_a_second()
    {
        CaptureSampler sampler = CreateSampler();
        Assert.True(sampler.TryBegin(Now));
        sampler.End(Now, Now);
        _time.Advance(TimeSpan.FromMilliseconds(100) - TimeSpan.FromTicks(1));
        Assert.False(sampler.TryBegin(Now));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.True(sampler.TryBegin(Now));
    }

    [Fact]
    public void It_rests_at_most_a_second()
    {
        CaptureSampler sampler = CreateSampler();
        Assert.True(sampler.TryBegin(Now));
        TimeSpan began = Now;
        _time.Advance(TimeSpan.FromMilliseconds(50));
        sampler.End(began, Now);
        _time.Advance(TimeSpan.FromSeconds(1) - TimeSpan.FromTicks(1));
        Assert.False(sampler.TryBegin(Now));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.True(sampler.TryBegin(Now));
    }

    [Fact]
    public void It_lets_one_thread_capture_at_a_time_however_long_that_takes()
    {
        CaptureSampler sampler = CreateSampler();
        Assert.True(sampler.TryBegin(Now));
        TimeSpan began = Now;
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.False(sampler.TryBegin(Now));
        sampler.End(began, Now);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(sampler.TryBegin(Now));
    }

    [Fact]
    public void It_is_asked_less_often_while_it_refuses()
    {
        CaptureSampler sampler = CreateSampler();
        List<int> intervals = [];
        for (int i = 0; i < 10; i++)
        {
            sampler.TryBegin(Now);
            intervals.Add(sampler.Interval);
        }

        Assert.Equal([1, 2, 4, 8, 16, 32, 64, 128, 256, 256], intervals);
        for (int i = 0; i < 8; i++)
        {
            sampler.End(Now, Now);
            _time.Advance(TimeSpan.FromMilliseconds(100));
            Assert.True(sampler.TryBegin(Now));
        }

        Assert.Equal(1, sampler.Interval);
    }

    private CaptureSampler CreateSampler()
    {
        var sampler = new CaptureSampler();
        for (int i = 0; i < CaptureSampler.FirstCaptures; i++)
        {
            Assert.True(sampler.TryBegin(Now));
            Assert.False(sampler.TryBegin(Now));
            sampler.End(Now, Now);
        }

        return sampler;
    }
}
