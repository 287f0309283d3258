using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

public sealed class WaitWatchTests
{
    private readonly ManualTime _time = new();
    private int _looks;

    [Fact]
    public void It_looks_every_second_while_somebody_waits_and_the_timer_runs_only_meanwhile()
    {
        using var watch = new WaitWatch(new SilentListener(), _time, () => _looks++);
        Assert.Equal(0, _time.ActiveTimers);
        watch.BeginWait();
        watch.BeginWait();
        Assert.Equal(1, _time.ActiveTimers);
        _time.Advance(WaitWatch.Period - TimeSpan.FromTicks(1));
        Assert.Equal(0, _looks);
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.Equal(1, _looks);
        watch.EndWait();
        _time.Advance(10 * WaitWatch.Period);
        Assert.Equal(11, _looks);
        watch.EndWait();
        Assert.Equal(0, _time.ActiveTimers);
        _time.Advance(10 * WaitWatch.Period);
        Assert.Equal(11, _looks);
    }

    /// <summary>One that takes longer than a second: the timer has fired again meanwhile.</summary>
    [Fact]
    public void It_looks_once_at_a_time()
    {
        using var watch = new WaitWatch(new SilentListener(), _time, () =>
        {
            _looks++;
            if (_looks < 5)
            {
                _time.Advance(WaitWatch.Period);
            }
        });
        watch.BeginWait();
        _time.Advance(WaitWatch.Period);
        Assert.Equal(1, _looks);
        _time.Advance(WaitWatch.Period);
        Assert.Equal(2, _looks);
        watch.EndWait();
    }

    [Fact]
    public void After_its_end_it_looks_no_more()
    {
        var watch = new WaitWatch(new SilentListener(), _time, () => _looks++);
        watch.BeginWait();
        watch.Dispose();
        _time.Advance(10 * WaitWatch.Period);
        watch.EndWait();
        Assert.Equal((0, 0), (_looks, _time.ActiveTimers));
    }
}
