using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

public sealed class LeakSearchTests
{
    private readonly ManualTime _time = new();
    private long _leaks;
    private int _collections;

    [Fact]
    public void The_first_refusal_starts_a_collection_and_the_next_ones_do_not()
    {
        using LeakSearch search = Create();
        search.OnRefusal();
        search.OnRefusal();
        Assert.Equal(1, _collections);
        _time.Advance(LeakSearch.ShortestPause - TimeSpan.FromTicks(1));
        search.OnRefusal();
        Assert.Equal(1, _collections);
    }

    [Fact]
    public void Collections_that_find_nothing_get_rarer_and_one_that_finds_a_leak_brings_the_pace_back()
    {
        using LeakSearch search = Create();
        search.OnRefusal();
        TimeSpan pause = LeakSearch.ShortestPause;
        for (int expected = 2; expected < 12; expected++)
        {
            _time.Advance(pause - TimeSpan.FromTicks(1));
            search.OnRefusal();
            Assert.Equal(expected - 1, _collections);
            _time.Advance(TimeSpan.FromTicks(1));
            search.OnRefusal();
            Assert.Equal(expected, _collections);
            pause = pause * 2 < LeakSearch.LongestPause ? pause * 2 : LeakSearch.LongestPause;
        }

        Assert.Equal(LeakSearch.LongestPause, pause);
        _leaks++;
        _time.Advance(LeakSearch.LongestPause);
        search.OnRefusal();
        _time.Advance(LeakSearch.ShortestPause);
        search.OnRefusal();
        Assert.Equal(13, _collections);
    }

    [Fact]
    public void Somebody_who_waits_long_has_leaks_searched_and_the_timer_runs_only_meanwhile()
    {
        using LeakSearch search = Create();
        Assert.Equal(0, _time.ActiveTimers);
        search.BeginWait();
        search.BeginWait();
        Assert.Equal(1, _time.ActiveTimers);
        _time.Advance(LeakSearch.Patience - TimeSpan.FromTicks(1));
        Assert.Equal(0, _collections);
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.Equal(1, _collections);
        search.EndWait();
        _time.Advance(LeakSearch.ShortestPause);
        Assert.Equal(2, _collections);
        search.EndWait();
        Assert.Equal(0, _time.ActiveTimers);
    }

    private LeakSearch Create() => new(new SilentListener(), _time, () => _leaks, () => _collections++);
}
