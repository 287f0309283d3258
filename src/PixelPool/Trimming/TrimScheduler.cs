#if NET
using System.Runtime.Loader;
#endif
using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Native;

namespace PixelPool.Trimming;

/// <summary>
/// Brings a pool's triggers together: a timer, collections of generation 2, and memory pressure, which is looked at whenever one of them finds something idle.
/// </summary>
/// <remarks>
/// The timer holds the scheduler weakly, and the scheduler its pool weakly: a pool that nobody uses is not kept alive by its own trimming.
/// Clock, timer and memory pressure are the application's: what they throw is told to the listener and reaches nobody else. A timer that could not be started is
/// started again by the next collection of generation 2, or by whoever gets blocks of the pool from the system.
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

#if NET
    private static volatile bool s_watchesUnloading;
    private static volatile bool s_isUnloading;
#endif

    private readonly WeakReference<ITrimmable> _pool = new(trimmed);
    private readonly ApplicationClock _clock = new(listener, time);
    private readonly TimeSpan _period = period;

    // A whole part of the period, so that its end is a tick. Timers count milliseconds.
    private readonly TimeSpan _interval = TimeSpan.FromTicks(Math.Max(TimeSpan.TicksPerMillisecond, period.Ticks / (((period.Ticks - 1) / PressureInterval.Ticks) + 1)));
    private ApplicationTimer? _timer;
    private long _lastPeriod;
    private int _timerFailed;
    private volatile bool _stopped;

    // The system holds a timer that runs, and so all of a plug-in that brings a PixelPool of its own: when that is unloaded timers fire once more.
    private static bool IsUnloading =>
#if NET
        s_isUnloading;
#else
        false;
#endif

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
        scheduler._timer = ApplicationTimer.Create(
            options.TimeProvider,
            static state =>
            {
                if (((WeakReference<TrimScheduler>)state).TryGetTarget(out TrimScheduler? target))
                {
                    target.OnTimer();
                }
            },
            new WeakReference<TrimScheduler>(scheduler));
        if (options.ListensToCollections)
        {
            Gen2Callback.Register(scheduler);
        }

#if NET
        if (!s_watchesUnloading && AssemblyLoadContext.GetLoadContext(typeof(TrimScheduler).Assembly) is { IsCollectible: true } plugIn)
        {
            s_watchesUnloading = true;
            plugIn.Unloading += static _ => s_isUnloading = true;
        }
#endif

        scheduler.StartTimer();
        return scheduler;
    }

    /// <summary>Starts the timer again if that failed before. To be called without a lock, it is the application's. Never throws.</summary>
    public void StartAgain()
    {
        if (Volatile.Read(ref _timerFailed) != 0 && Interlocked.Exchange(ref _timerFailed, 0) != 0)
        {
            StartTimer();
        }
    }

    /// <summary>Ends all triggers; nothing is trimmed any more. Never throws.</summary>
    public void Stop()
    {
        _stopped = true;
        Report("ITimer.Dispose", _timer?.End());
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
        StartAgain();
        return true;
    }

    private void OnTimer()
    {
        if (!_stopped && _pool.TryGetTarget(out ITrimmable? pool))
        {
            Trim(pool, TrimReason.Timer);
            if (!IsUnloading)
            {
                StartTimer();
            }
        }
    }

    // Timer and collection may come together: neither waits for the other. While nothing is idle a tick asks nobody how much memory there is.
    private void Trim(ITrimmable pool, TrimReason reason)
    {
        bool hasIdle = pool.HasIdle;
        if (hasIdle || reason == TrimReason.Gen2)
        {
            pool.RefreshCapacity();
        }

        if (hasIdle && IsPressureHigh())
        {
            pool.TrimTo(0, TrimReason.Pressure);
        }
        else if (TryEndPeriod())
        {
            pool.TrimByPolicy(policy, reason);
        }

        // What was idle may be gone now.
        if (hasIdle || reason == TrimReason.Gen2)
        {
            CollectorPressure.Settle();
        }
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
        bool isOver = since < TimeSpan.Zero || since >= _period - TimeSpan.FromTicks(_interval.Ticks / 8);
        return isOver && Interlocked.CompareExchange(ref _lastPeriod, now.Ticks, last) == last;
    }

    private void StartTimer()
    {
        Exception? failure = _timer!.Start(_interval);
        if (failure is not null && !_stopped)
        {
            Volatile.Write(ref _timerFailed, 1);
            listener.OnApplicationFailed("ITimer.Change", failure);
        }
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
            Report("MemoryPressureSource.IsHigh", failure);
            return false;
        }
#pragma warning restore CA1031
    }

    private void Report(string member, Exception? failure)
    {
        if (failure is not null)
        {
            listener.OnApplicationFailed(member, failure);
        }
    }
}
