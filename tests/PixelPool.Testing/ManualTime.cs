namespace PixelPool.Testing;

/// <summary>A clock that stands still until <see cref="Advance"/>, whose timers run on the thread that advances it. Thread-safe.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<ManualTimer> _timers = [];
    private readonly long _start = 1_000 * TimeSpan.TicksPerDay;
    private long _now = 1_000 * TimeSpan.TicksPerDay;

    /// <summary>
    /// Lets every timer that is created with a due time fire before its creation returns: who waits for time to pass does not wait. Timers that
    /// are created without one and started later are not concerned.
    /// </summary>
    public bool FireNewTimersAtOnce { get; set; }

    /// <summary>Time passes, but no timer fires: a process whose thread pool is starved.</summary>
    public bool TimersAreStuck { get; set; }

    /// <summary>Called with the due time of every timer that is created with one, on the thread that creates it.</summary>
    public Action<TimeSpan>? OnTimerCreated { get; set; }

    /// <summary>Timers that will fire.</summary>
    public int ActiveTimers
    {
        get
        {
            lock (_lock)
            {
                return _timers.Count(static timer => timer.Due is not null);
            }
        }
    }

    /// <summary>Timers that are not disposed.</summary>
    public int Timers
    {
        get
        {
            lock (_lock)
            {
                return _timers.Count;
            }
        }
    }

    /// <summary>Timers that were created with a due time so far: one per wait.</summary>
    public int Waits { get; private set; }

    /// <summary>Time since the start.</summary>
    public TimeSpan Elapsed
    {
        get
        {
            lock (_lock)
            {
                return new TimeSpan(_now - _start);
            }
        }
    }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long GetTimestamp()
    {
        lock (_lock)
        {
            return _now;
        }
    }

    public override DateTimeOffset GetUtcNow() => new(GetTimestamp(), TimeSpan.Zero);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        bool starts = dueTime != Timeout.InfiniteTimeSpan;
        bool atOnce = starts && FireNewTimersAtOnce;
        lock (_lock)
        {
            _timers.Add(timer);
            timer.Start(_now, atOnce ? Timeout.InfiniteTimeSpan : dueTime, period);
            Waits += starts ? 1 : 0;
        }

        if (atOnce)
        {
            timer.Fire();
        }

        if (starts)
        {
            OnTimerCreated?.Invoke(dueTime);
        }

        return timer;
    }

    /// <summary>Moves the clock, stopping at every timer that becomes due on the way and running it.</summary>
    public void Advance(TimeSpan by)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(by, TimeSpan.Zero);
        long end = GetTimestamp() + by.Ticks;
        while (NextDue(end) is { } timer)
        {
            timer.Fire();
        }

        lock (_lock)
        {
            _now = Math.Max(_now, end);
        }
    }

    /// <summary>Moves the clock in steps, as a process lives through it.</summary>
    public void Advance(TimeSpan by, TimeSpan step, Action eachStep)
    {
        for (TimeSpan passed = TimeSpan.Zero; passed < by; passed += step)
        {
            Advance(step);
            eachStep();
        }
    }

    private ManualTimer? NextDue(long end)
    {
        lock (_lock)
        {
            ManualTimer? next = TimersAreStuck
                ? null
                : _timers.Where(timer => timer.Due <= end).MinBy(static timer => timer.Due);
            if (next is not null)
            {
                _now = Math.Max(_now, next.Due!.Value);
                next.Reschedule();
            }

            return next;
        }
    }

    // Everything but Fire is guarded by the lock of the clock.
    private sealed class ManualTimer(ManualTime time, TimerCallback callback, object? state) : ITimer
    {
        private TimeSpan _period;

        public long? Due { get; private set; }

        public void Fire() => callback(state);

        public void Start(long now, TimeSpan dueTime, TimeSpan period)
        {
            Due = dueTime == Timeout.InfiniteTimeSpan ? null : now + dueTime.Ticks;
            _period = period;
        }

        public void Reschedule() => Due = _period > TimeSpan.Zero ? Due + _period.Ticks : null;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._lock)
            {
                if (!time._timers.Contains(this))
                {
                    return false;
                }

                Start(time._now, dueTime, period);
                return true;
            }
        }

        public void Dispose()
        {
            lock (time._lock)
            {
                Due = null;
                time._timers.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
