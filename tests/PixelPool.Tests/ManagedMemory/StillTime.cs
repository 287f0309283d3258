namespace PixelPool.Tests.ManagedMemory;

/// <summary>Time that stands still until a test moves it. It needs no memory for that.</summary>
internal sealed class StillTime : TimeProvider
{
    private readonly StillTimer?[] _timers = new StillTimer[8];
    private int _count;
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => _now;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        _timers[_count++] = new StillTimer(callback, state) { IsRunning = dueTime != Timeout.InfiniteTimeSpan };

    /// <summary>Time goes on, and every timer that runs fires once.</summary>
    public void Advance(TimeSpan by)
    {
        _now += by.Ticks;
        foreach (StillTimer? timer in _timers)
        {
            timer?.Fire();
        }
    }

    private sealed class StillTimer(TimerCallback callback, object? state) : ITimer
    {
        public bool IsRunning { get; set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            IsRunning = dueTime != Timeout.InfiniteTimeSpan;
            return true;
        }

        public void Fire()
        {
            if (IsRunning)
            {
                IsRunning = false;
                callback(state);
            }
        }

        public void Dispose() => IsRunning = false;

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
