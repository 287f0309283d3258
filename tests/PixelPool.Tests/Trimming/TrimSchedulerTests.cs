using PixelPool.Accounts;
using PixelPool.Tests.Application;
using PixelPool.Tests.Infrastructure;
using PixelPool.Trimming;

namespace PixelPool.Tests.Trimming;

/// <summary>The scheduler alone: when it ends a period, and what it tells of the application.</summary>
public class TrimSchedulerTests
{
    // Two intervals: a tick that comes before looks at memory pressure only.
    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(8);
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(4);

    private readonly ManualTime _time = new();
    private readonly ManualMemoryPressure _pressure = new();
    private readonly FakeTrimmable _pool = new() { IdleBytes = 100 };
    private readonly RecordingListener _listener = new();

    // Its timer does not keep it alive.
    private TrimScheduler? _scheduler;

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void Idle_memory_is_given_back_once_with_its_reason(bool isCollection, bool isHigh)
    {
        TrimScheduler scheduler = Start();
        _pool.DueBytes = 30;
        _pressure.High = isHigh;
        _time.TimersAreStuck = isCollection;
        _time.Advance(s_period);
        if (isCollection)
        {
            scheduler.OnGen2Collection();
            scheduler.OnGen2Collection();
        }

        Assert.Equal(isHigh ? (100, TrimReason.Pressure) : (30, isCollection ? TrimReason.Gen2 : TrimReason.Timer), Assert.Single(_pool.Trimmed));
    }

    [Fact]
    public void Each_tick_and_each_collection_looks_at_the_capacity_again()
    {
        TrimScheduler scheduler = Start();
        _time.Advance(s_interval);
        Assert.Equal(1, _pool.Refreshes);
        scheduler.OnGen2Collection();
        Assert.Equal(2, _pool.Refreshes);
    }

    [Fact]
    public void While_nothing_is_idle_a_tick_asks_for_no_figures_and_ends_the_period_all_the_same()
    {
        _pool.IdleBytes = 0;
        Start();
        _time.Advance(s_period);
        Assert.Equal((0, 0, 1), (_pool.Refreshes, _pressure.Questions, _pool.EndedPeriods));
    }

    [Fact]
    public void Collection_ends_no_period_that_has_just_begun()
    {
        Assert.True(Start().OnGen2Collection());
        Assert.Equal((1, 0), (_pool.Refreshes, _pool.EndedPeriods));
    }

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(0, 1)]
    public void Period_may_end_an_eighth_of_an_interval_early(long ticks, int ended)
    {
        TrimScheduler scheduler = Start();
        _time.TimersAreStuck = true;
        _time.Advance(s_period - (s_interval / 8) + TimeSpan.FromTicks(ticks));
        scheduler.OnGen2Collection();
        Assert.Equal(ended, _pool.EndedPeriods);
    }

    [Fact]
    public void Period_that_pressure_left_open_is_ended_a_whole_interval_later()
    {
        Start(s_interval);
        _pressure.High = true;
        _pool.OnReleased = () =>
        {
            _pressure.High = false;
            _pool.IdleBytes = 1;
        };
        _time.Advance(s_interval);
        Assert.Equal((1, 0), (_pool.Refreshes, _pool.EndedPeriods));
        _time.Advance(s_interval);
        Assert.Equal((2, 1), (_pool.Refreshes, _pool.EndedPeriods));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Timer_that_does_not_start_is_told_and_memory_from_the_system_starts_it(int failing)
    {
        TrimScheduler scheduler = Start(fault: new ApplicationFault(failing, "ITimer.Change"));
        _time.Advance(s_interval);
        AssertFailed("ITimer.Change", "ITimer.Change");
        scheduler.StartAgain();
        scheduler.StartAgain();
        Assert.Equal(1, _time.ActiveTimers);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Timer_that_does_not_start_is_told_and_the_next_collection_starts_it(int failing)
    {
        TrimScheduler scheduler = Start(fault: new ApplicationFault(failing, "ITimer.Change"));
        _time.Advance(s_interval);
        AssertFailed("ITimer.Change", "ITimer.Change");
        Assert.Equal(0, _time.ActiveTimers);
        scheduler.OnGen2Collection();
        Assert.Equal(1, _time.ActiveTimers);
    }

    [Fact]
    public void Clock_that_fails_when_the_scheduler_starts_is_told_and_periods_end()
    {
        Start(s_interval, new ApplicationFault(failing: 1, "GetTimestamp"));
        AssertFailed("TimeProvider.GetTimestamp", "GetTimestamp");
        _time.Advance(s_interval);
        Assert.Equal(1, _pool.EndedPeriods);
    }

    [Fact]
    public void Clock_that_fails_at_a_tick_is_told_and_the_next_tick_is_an_interval_away()
    {
        Start(s_interval, new ApplicationFault(failing: 2, "GetTimestamp"));
        _pool.DueBytes = 1;
        _time.Advance(s_interval);
        AssertFailed("TimeProvider.GetTimestamp", "GetTimestamp");
        Assert.Equal(1, _pool.Refreshes);
        _time.Advance(s_interval);
        Assert.Equal(2, _pool.Refreshes);
    }

    [Fact]
    public void Pressure_source_that_fails_is_told_and_the_period_ends_all_the_same()
    {
        Start(s_interval);
        _pressure.Failure = new IOException("no figures");
        _time.Advance(s_interval);
        Assert.Equal(("MemoryPressureSource.IsHigh", _pressure.Failure), Assert.Single(_listener.Failures));
        Assert.Equal(1, _pool.EndedPeriods);
    }

    [Fact]
    public void Timer_that_does_not_end_is_told_and_does_nothing_any_more()
    {
        TrimScheduler scheduler = Start(fault: new ApplicationFault(failing: 1, "ITimer.Dispose"));
        scheduler.Stop();
        AssertFailed("ITimer.Dispose", "ITimer.Dispose");
        Assert.Equal(1, _time.ActiveTimers);
        _time.Advance(s_period);
        Assert.False(scheduler.OnGen2Collection());
        Assert.Equal((0, 0), (_pool.Refreshes, _pressure.Questions));
    }

    [Fact]
    public void Scheduler_that_is_stopped_within_a_tick_has_nothing_to_tell()
    {
        TrimScheduler scheduler = Start();
        _pool.DueBytes = 1;
        _pool.OnReleased = scheduler.Stop;
        _time.Advance(s_period);
        Assert.Equal((1, 0), (_pool.EndedPeriods, _time.Timers));
        Assert.Empty(_listener.Failures);
    }

    private TrimScheduler Start(TimeSpan? period = null, ApplicationFault? fault = null)
    {
        var options = new PixelAllocatorOptions
        {
            TrimPolicy = TrimPolicy.Halving(period ?? s_period, 1),
            TimeProvider = new FaultyTime(fault ?? new ApplicationFault(failing: 0), _time),
            MemoryPressure = _pressure,
            ListensToCollections = false,
        };
        _scheduler = TrimScheduler.Start(_pool, _listener, options);
        return _scheduler!;
    }

    private void AssertFailed(string member, string thrown)
    {
        (string told, Exception failure) = Assert.Single(_listener.Failures);
        Assert.Equal((member, thrown), (told, Assert.IsType<ApplicationFaultException>(failure).Message));
    }
}
