using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Application;

/// <summary>A clock and timers that may throw from every member.</summary>
internal sealed class FaultyTime(ApplicationFault fault, ManualTime time) : TimeProvider
{
    public override long TimestampFrequency
    {
        get
        {
            fault.Call(nameof(TimestampFrequency));
            return time.TimestampFrequency;
        }
    }

    public override long GetTimestamp()
    {
        fault.Call(nameof(GetTimestamp));
        return time.GetTimestamp();
    }

    public override DateTimeOffset GetUtcNow()
    {
        fault.Call(nameof(GetUtcNow));
        return time.GetUtcNow();
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        fault.Call(nameof(CreateTimer));
        return new FaultyTimer(fault, time.CreateTimer(callback, state, dueTime, period));
    }

    private sealed class FaultyTimer(ApplicationFault fault, ITimer timer) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            fault.Call("ITimer.Change");
            return timer.Change(dueTime, period);
        }

        public void Dispose()
        {
            fault.Call("ITimer.Dispose");
            timer.Dispose();
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
