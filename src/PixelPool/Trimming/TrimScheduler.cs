using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Native;

namespace PixelPool.Trimming;

/// <summary>
/// Brings a pool's triggers together: a timer that is armed only while something is idle, collections of generation 2, and memory pressure,
/// which is looked at whenever one of them comes and something is idle.
/// </summary>
/// <remarks>
/// The timer holds the scheduler weakly, and the scheduler its pool weakly: a pool that nobody uses is not kept alive by its own trimming.
/// Clock, timer and memory pressure are the application's: what they throw is told to the listener and reaches nobody else. After a timer that could
/// not be started nothing is armed, so that whoever makes something idle next, or the next collection, starts it again.
/// </remarks>
/// <param name="trimmed">What is trimmed, held weakly.</param>
/// <param name="listener">Told what the application throws.</param>
/// <param name="policy">How much goes at the end of a period.</param>
/// <param name="period">That of the policy.</param>
/// <param name="time">The application's clock.</param>
/// <param name="pressure">Whether memory is short.</param>
internal sealed class TrimScheduler(ITrimmable trimmed, IMemoryListener listener, TrimPolicy policy, TimeSpan period, TimeProvider time, MemoryPressureSource pressure)
{
    /// <summary>Memory pressure is looked at at least this often while something is idle.</summary>
    public static readonly TimeSpan PressureInterval = TimeSpan.FromSeconds(5);

    private readonly WeakReference<ITrimmable> _pool = new(trimmed);
    private readonly ApplicationClock _clock = new(listener, time);

    // A whole part of the period, so that its end is a tick. Timers count milliseconds.
    private readonly TimeSpan _interval = TimeSpan.FromTicks(Math.Max(TimeSpan.TicksPerMillisecond, period.Ticks / (((period.Ticks - 1) / PressureInterval.Ticks) + 1)));
    private ApplicationTimer? _timer;
    private long _lastPeriod;
    private int _armed;
    private volatile bool _stopped;

    /// <summary>Starts the triggers of what can be trimmed. Throws what the application throws instead of making a timer.</summary>
    /// <returns>Null when the policy never acts.</returns>
    public static TrimScheduler? Start(ITrimmable pool, IMemoryListener listener, PixelAllocatorOptions options)
    {
        if (options.TrimPolicy.Period is not { } period)
        {
            return null;
        }

        var scheduler = new TrimScheduler(pool, listener, options.TrimPolicy, period, options.TimeProvider, options.MemoryPressure);
        scheduler._lastPeriod = scheduler._clock.TryRead()?.Ticks ?? 0;
        scheduler._timer = new ApplicationTimer(options.TimeProvider, Tick, new WeakReference<TrimScheduler>(scheduler));
        if (options.ListensToCollections)
        {
            _ = new Gen2Callback(scheduler);
        }

        return scheduler;
    }

    /// <summary>
    /// False when whoever makes something idle has to <see cref="Arm"/>. To be read after that, behind a barrier, which leaving a lock is: whoever disarms
    /// looks at everything afterwards, so one of the two sees the other.
    /// </summary>
    public bool IsArmed => Volatile.Read(ref _armed) != 0;

    /// <summary>Starts the timer if it does not run. Never throws.</summary>
    public void Arm()
    {
        // Mostly it is: only looked at, it stays in everybody's cache.
        if (IsArmed || _stopped || Interlocked.CompareExchange(ref _armed, 1, 0) != 0)
        {
            return;
        }

        if (_clock.TryRead() is { } now)
        {
            Volatile.Write(ref _lastPeriod, now.Ticks);
            if (TryStartTimer())
            {
                return;
            }
        }

        Volatile.Write(ref _armed, 0);
    }

    /// <summary>Ends all triggers; nothing is trimmed any more. Never throws.</summary>
    public void Stop()
    {
        _stopped = true;
        _timer!.End(listener);
    }

    /// <summary>Never throws: it is called on the finalizer thread.</summary>
    /// <returns>False when the pool is gone: do not come again.</returns>
    public bool OnGen2Collection()
    {
        if (_stopped || !_pool.TryGetTarget(out ITrimmable? pool))
        {
            return false;
        }

        Trim(pool, TrimReason.Gen2);
        if (!IsArmed && pool.HasIdle)
        {
            Arm();
        }

        return true;
    }

    private static void Tick(object state)
    {
        if (((WeakReference<TrimScheduler>)state).TryGetTarget(out TrimScheduler? scheduler) && !scheduler._stopped && scheduler._pool.TryGetTarget(out ITrimmable? pool))
        {
            scheduler.OnTimer(pool);
        }
    }

    private void OnTimer(ITrimmable pool)
    {
        Trim(pool, TrimReason.Timer);
        bool hadIdle = pool.HasIdle;
        if (hadIdle && TryStartTimer())
        {
            return;
        }

        // Disarm, then look again: a return between the look and the write saw an armed timer.
        Interlocked.Exchange(ref _armed, 0);
        if (!hadIdle && pool.HasIdle)
        {
            Arm();
        }
    }

    // Timer and collection may come together: neither waits for the other.
    private void Trim(ITrimmable pool, TrimReason reason)
    {
        pool.RefreshCapacity();
        if (pool.HasIdle && IsPressureHigh())
        {
            pool.TrimTo(0, TrimReason.Pressure);
        }
        else if (TryEndPeriod())
        {
            pool.TrimByPolicy(policy, reason);
        }

        CollectorPressure.Settle();
    }

    // An eighth of an interval of tolerance, because timers are coarse: a tick that comes a moment early must not cost a whole interval.
    private bool TryEndPeriod()
    {
        if (_clock.TryRead() is not { } now)
        {
            return false;
        }

        // A clock that went backwards has to begin again. Of threads that come together one ends it.
        long last = Volatile.Read(ref _lastPeriod);
        TimeSpan since = now - TimeSpan.FromTicks(last);
        bool isOver = since < TimeSpan.Zero || since >= period - TimeSpan.FromTicks(_interval.Ticks / 8);
        return isOver && Interlocked.CompareExchange(ref _lastPeriod, now.Ticks, last) == last;
    }

    private bool TryStartTimer()
    {
        Exception? failure = _timer!.Start(_interval);
        if (failure is not null && !_stopped)
        {
            listener.OnApplicationFailed("ITimer.Change", failure);
        }

        return failure is null;
    }

    private bool IsPressureHigh()
    {
        try
        {
            return pressure.IsHigh();
        }
#pragma warning disable CA1031 // A source that fails is a source that does not know.
        catch (Exception failure)
        {
            listener.OnApplicationFailed("MemoryPressureSource.IsHigh", failure);
            return false;
        }
#pragma warning restore CA1031
    }
}
