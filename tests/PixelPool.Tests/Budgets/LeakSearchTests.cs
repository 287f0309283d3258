using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

public sealed class LeakSearchTests
{
    private readonly ManualTime _time = new();
    private readonly MemoryAccounts _accounts = new(new SilentListener());
    private int _collections;

    [Fact]
    public void The_first_refusal_starts_a_collection_and_the_next_ones_do_not()
    {
        var search = new LeakSearch(_accounts);
        Search(search);
        Search(search);
        Assert.Equal(1, _collections);
        _time.Advance(LeakSearch.ShortestPause - TimeSpan.FromTicks(1));
        Search(search);
        Assert.Equal(1, _collections);
    }

    [Fact]
    public void Collections_that_find_nothing_get_rarer_and_one_that_finds_a_leak_brings_the_pace_back()
    {
        var search = new LeakSearch(_accounts);
        Search(search);
        TimeSpan pause = LeakSearch.ShortestPause;
        for (int expected = 2; expected < 12; expected++)
        {
            _time.Advance(pause - TimeSpan.FromTicks(1));
            Search(search);
            Assert.Equal(expected - 1, _collections);
            _time.Advance(TimeSpan.FromTicks(1));
            Search(search);
            Assert.Equal(expected, _collections);
            pause = pause * 2 < LeakSearch.LongestPause ? pause * 2 : LeakSearch.LongestPause;
        }

        Assert.Equal(LeakSearch.LongestPause, pause);
        _accounts.CountLeak(1);
        _time.Advance(LeakSearch.LongestPause);
        Search(search);
        _time.Advance(LeakSearch.ShortestPause);
        Search(search);
        Assert.Equal(13, _collections);
    }

    private void Search(LeakSearch search) => _collections += search.TryBegin(new ApplicationClock(new SilentListener(), _time).TryRead()!.Value) ? 1 : 0;
}
