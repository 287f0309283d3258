using PixelPool.Accounts;
using PixelPool.Tests.Application;
using PixelPool.Tests.Infrastructure;
using PixelPool.Trimming;

namespace PixelPool.Tests.Trimming;

/// <summary>The scheduler alone: when it is armed, when it ends a period, and what it tells of the application.</summary>
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
        scheduler.Arm();
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
        scheduler.Arm();
        _time.Advance(s_interval);
        Assert.Equal(1, _pool.Refreshes);
        scheduler.OnGen2Collection();
        Assert.Equal(2, _pool.Refreshes);
    }

    [Fact]
    public void Tick_that_leaves_something_idle_stays_armed_for_the_next()
    {
        TrimScheduler scheduler = Start();
        scheduler.Arm();
        _time.Advance(s_interval);
        Assert.Equal((true, 1), (scheduler.IsArmed, _time.ActiveTimers));
        _time.Advance(s_period - s_interval);
        Assert.Equal((false, 0), (scheduler.IsArmed, _time.ActiveTimers));
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, true)]
    public void Collection_arms_while_something_is_idle_and_ends_no_period_that_has_just_begun(long idleBytes, bool isArmed)
    {
        _pool.IdleBytes = idleBytes;
        TrimScheduler scheduler = Start();
        Assert.True(scheduler.OnGen2Collection());
        Assert.Equal((isArmed, isArmed ? 1 : 0, 0), (scheduler.IsArmed, _time.ActiveTimers, _pool.EndedPeriods));
    }

    [Fact]
    public void Period_begins_when_the_scheduler_is_armed()
    {
        TrimScheduler scheduler = Start();
        _time.Advance(TimeSpan.FromHours(1));
        scheduler.Arm();
        _time.Advance(s_interval);
        Assert.Equal((1, 0), (_pool.Refreshes, _pool.EndedPeriods));
        _time.Advance(s_period - s_interval);
        Assert.Equal((2, 1), (_pool.Refreshes, _pool.EndedPeriods));
    }

    [Fact]
    public void Arming_what_is_armed_changes_nothing()
    {
        TrimScheduler scheduler = Start();
        scheduler.Arm();
        _time.Advance(s_interval / 2);
        scheduler.Arm();
        _time.Advance(s_interval / 2);
        Assert.Equal(1, _pool.Refreshes);
        _time.Advance(s_period - s_interval);
        Assert.Equal((2, 1), (_pool.Refreshes, _pool.EndedPeriods));
    }

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(0, 1)]
    public void Period_may_end_an_eighth_of_an_interval_early(long ticks, int ended)
    {
        TrimScheduler scheduler = Start();
        _time.TimersAreStuck = true;
        scheduler.Arm();
        _time.Advance(s_period - (s_interval / 8) + TimeSpan.FromTicks(ticks));
        scheduler.OnGen2Collection();
        Assert.Equal(ended, _pool.EndedPeriods);
    }

    [Fact]
    public void Period_that_pressure_left_open_is_ended_a_whole_interval_later()
    {
        TrimScheduler scheduler = Start(s_interval);
        _pressure.High = true;
        _pool.OnReleased = () =>
        {
            _pressure.High = false;
            _pool.IdleBytes = 1;
        };
        scheduler.Arm();
        _time.Advance(s_interval);
        Assert.Equal((1, 0), (_pool.Refreshes, _pool.EndedPeriods));
        _time.Advance(s_interval);
        Assert.Equal((2, 1), (_pool.Refreshes, _pool.EndedPeriods));
    }

    [Fact]
    public void What_becomes_idle_while_the_scheduler_disarms_arms_it_again()
    {
        TrimScheduler scheduler = Start();
        _pool.OnNothingIdle = () =>
        {
            // Another thread returns memory: it is armed, so there is nothing to do.
            Assert.True(scheduler.IsArmed);
            _pool.IdleBytes = 1;
        };
        scheduler.Arm();
        _time.Advance(s_period);
        Assert.Equal((1, true, 1), (_pool.EndedPeriods, scheduler.IsArmed, _time.ActiveTimers));
    }

    [Theory]
    [InlineData("ITimer.Change", 1, "ITimer.Change")]
    [InlineData("GetTimestamp", 2, "TimeProvider.GetTimestamp")]
    [InlineData("TimestampFrequency", 2, "TimeProvider.GetTimestamp")]
    public void Failure_to_arm_is_told_and_the_next_one_who_arms_does(string member, int call, string told)
    {
        TrimScheduler scheduler = Start(fault: new ApplicationFault(call, member));
        scheduler.Arm();
        AssertFailed(told, member);
        Assert.Equal((false, 0), (scheduler.IsArmed, _time.ActiveTimers));
        scheduler.Arm();
        Assert.Equal((true, 1), (scheduler.IsArmed, _time.ActiveTimers));
    }

    [Fact]
    public void Timer_that_fails_at_a_tick_is_told_and_the_next_collection_starts_it()
    {
        TrimScheduler scheduler = Start(fault: new ApplicationFault(failing: 2, "ITimer.Change"));
        scheduler.Arm();
        _time.Advance(s_interval);
        AssertFailed("ITimer.Change", "ITimer.Change");
        Assert.Equal((false, 0), (scheduler.IsArmed, _time.ActiveTimers));
        scheduler.OnGen2Collection();
        Assert.Equal((true, 1), (scheduler.IsArmed, _time.ActiveTimers));
    }

    [Fact]
    public void Clock_that_fails_at_a_tick_is_told_and_the_next_tick_is_an_interval_away()
    {
        TrimScheduler scheduler = Start(s_interval, new ApplicationFault(failing: 3, "GetTimestamp"));
        _pool.DueBytes = 1;
        scheduler.Arm();
        _time.Advance(s_interval);
        AssertFailed("TimeProvider.GetTimestamp", "GetTimestamp");
        Assert.Equal(1, _pool.Refreshes);
        _time.Advance(s_interval);
        Assert.Equal(2, _pool.Refreshes);
    }

    [Fact]
    public void Pressure_source_that_fails_is_told_and_the_period_ends_all_the_same()
    {
        TrimScheduler scheduler = Start(s_interval);
        _pressure.Failure = new IOException("no figures");
        scheduler.Arm();
        _time.Advance(s_interval);
        Assert.Equal(("MemoryPressureSource.IsHigh", _pressure.Failure), Assert.Single(_listener.Failures));
        Assert.Equal(1, _pool.EndedPeriods);
    }

    [Fact]
    public void Timer_that_does_not_end_is_told_and_does_nothing_any_more()
    {
        TrimScheduler scheduler = Start(fault: new ApplicationFault(failing: 1, "ITimer.Dispose"));
        scheduler.Arm();
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
        scheduler.Arm();
        _time.Advance(s_period);
        Assert.Equal((1, false, 0), (_pool.EndedPeriods, scheduler.IsArmed, _time.Timers));
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
