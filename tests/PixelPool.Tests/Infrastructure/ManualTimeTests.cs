namespace PixelPool.Tests.Infrastructure;

public class ManualTimeTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public void Timers_fire_in_order_at_their_times()
    {
        var time = new ManualTime();
        var fired = new List<string>();
        using ITimer late = time.CreateTimer(_ => fired.Add($"late {time.Elapsed.TotalSeconds}"), null, 3 * s_second, Timeout.InfiniteTimeSpan);
        using ITimer every = time.CreateTimer(_ => fired.Add($"every {time.Elapsed.TotalSeconds}"), null, s_second, 2 * s_second);
        time.Advance(s_second / 2);
        Assert.Empty(fired);
        time.Advance(3 * s_second);
        Assert.Equal(["every 1", "late 3", "every 3"], fired);
        Assert.Equal((3.5, 1, 2), (time.Elapsed.TotalSeconds, time.ActiveTimers, time.Timers));
    }

    [Fact]
    public void Timer_that_starts_itself_again_fires_again_in_one_advance()
    {
        var time = new ManualTime();
        int fired = 0;
        ITimer? timer = null;
        timer = time.CreateTimer(_ => timer!.Change(++fired < 5 ? s_second : Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan), null, s_second, Timeout.InfiniteTimeSpan);
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal((5, 0), (fired, time.ActiveTimers));
        timer.Dispose();
        Assert.False(timer.Change(s_second, s_second));
        Assert.Equal(0, time.Timers);
    }

    [Fact]
    public void Stuck_timers_fire_when_they_are_loose()
    {
        var time = new ManualTime { TimersAreStuck = true };
        int fired = 0;
        using ITimer timer = time.CreateTimer(_ => fired++, null, s_second, Timeout.InfiniteTimeSpan);
        time.Advance(TimeSpan.FromHours(1));
        Assert.Equal((0, 1), (fired, time.ActiveTimers));
        time.TimersAreStuck = false;
        time.Advance(TimeSpan.Zero);
        Assert.Equal((1, 3600.0), (fired, time.Elapsed.TotalSeconds));
    }

    [Fact]
    public void New_timers_fire_at_once_when_asked_and_only_those_with_a_due_time()
    {
        var time = new ManualTime { FireNewTimersAtOnce = true };
        int fired = 0;
        using ITimer waits = time.CreateTimer(_ => fired++, null, s_second, Timeout.InfiniteTimeSpan);
        using ITimer rests = time.CreateTimer(_ => fired++, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        Assert.Equal((1, 1, 0), (fired, time.Waits, time.ActiveTimers));
        rests.Change(s_second, Timeout.InfiniteTimeSpan);
        Assert.Equal((1, 1), (fired, time.ActiveTimers));
        time.Advance(s_second);
        Assert.Equal(2, fired);
    }
}
