using PixelPool.Native;

namespace PixelPool.Trimming;

/// <summary>
/// Brings a pool's triggers together: a timer that is armed only while something is idle, collections of generation 2, and memory pressure,
/// which is looked at whenever one of them comes.
/// </summary>
/// <remarks>
/// The timer holds the scheduler weakly, and the scheduler its pool weakly: a pool that nobody uses is not kept alive by its own trimming.
/// </remarks>
internal sealed class TrimScheduler
{
    /// <summary>Memory pressure is looked at at least this often while something is idle.</summary>
    public static readonly TimeSpan PressureInterval = TimeSpan.FromSeconds(5);

    private readonly WeakReference<UniformUnmanagedMemoryPool> _pool;
    private readonly TrimPolicy _policy;
    private readonly TimeProvider _time;
    private readonly MemoryPressureSource _pressure;
    private readonly TimeSpan _period;
    private readonly TimeSpan _interval;
    private readonly object _tick = new();
    private ITimer? _timer;
    private long _lastPeriod;
    private int _armed;
    private volatile bool _stopped;

    private TrimScheduler(UniformUnmanagedMemoryPool pool, TrimPolicy policy, TimeSpan period, TimeProvider time, MemoryPressureSource pressure)
    {
        _pool = new WeakReference<UniformUnmanagedMemoryPool>(pool);
        _policy = policy;
        _time = time;
        _pressure = pressure;
        _period = period;
        _interval = period < PressureInterval ? period : PressureInterval;
        _lastPeriod = time.GetTimestamp();
    }

    /// <summary>Starts the triggers of a pool.</summary>
    /// <returns>Null when the policy never acts.</returns>
    public static TrimScheduler? Start(UniformUnmanagedMemoryPool pool, PixelAllocatorOptions options)
    {
        if (options.TrimPolicy.Period is not { } period)
        {
            return null;
        }

        var scheduler = new TrimScheduler(pool, options.TrimPolicy, period, options.TimeProvider, options.MemoryPressure);
        scheduler._timer = DetachedTimer.Create(
            options.TimeProvider,
            static state =>
            {
                if (((WeakReference<TrimScheduler>)state!).TryGetTarget(out TrimScheduler? target))
                {
                    target.OnTimer();
                }
            },
            new WeakReference<TrimScheduler>(scheduler));
        if (options.ListensToCollections)
        {
            Gen2Callback.Register(scheduler);
        }

        return scheduler;
    }

    /// <summary>
    /// False when whoever makes something idle has to <see cref="Arm"/>. To be read under the lock of the stripe that got it: whoever disarms
    /// looks at every stripe afterwards, so one of the two sees the other.
    /// </summary>
    public bool IsArmed => Volatile.Read(ref _armed) != 0;

    /// <summary>Starts the timer if it does not run.</summary>
    public void Arm()
    {
        if (Interlocked.CompareExchange(ref _armed, 1, 0) == 0 && !_stopped)
        {
            Volatile.Write(ref _lastPeriod, _time.GetTimestamp());
            _timer!.Change(_interval, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Ends all triggers; nothing is trimmed any more.</summary>
    public void Stop()
    {
        _stopped = true;
        _timer?.Dispose();
    }

    /// <returns>False when the pool is gone: do not come again.</returns>
    public bool OnGen2Collection()
    {
        if (_stopped || !_pool.TryGetTarget(out UniformUnmanagedMemoryPool? pool))
        {
            return false;
        }

        pool.RefreshCapacity();

        // The timer may be at work: then this collection has nothing to add, and the finalizer thread does not wait.
        TrimReason reason = TrimReason.Gen2;
        if (Monitor.TryEnter(_tick))
        {
            long released;
            try
            {
                released = Trim(pool, ref reason);
            }
            finally
            {
                Monitor.Exit(_tick);
            }

            pool.ReportTrimmed(released, reason);
        }

        CollectorPressure.Settle();
        return true;
    }

    private void OnTimer()
    {
        if (_stopped || !_pool.TryGetTarget(out UniformUnmanagedMemoryPool? pool))
        {
            return;
        }

        pool.RefreshCapacity();
        TrimReason reason = TrimReason.Timer;
        long released;
        lock (_tick)
        {
            released = Trim(pool, ref reason);
        }

        pool.ReportTrimmed(released, reason);
        CollectorPressure.Settle();

        if (pool.HasIdleBlocks)
        {
            _timer!.Change(UntilNextTick(), Timeout.InfiniteTimeSpan);
            return;
        }

        // Disarm, then look again: a return between the look and the write saw an armed timer.
        Interlocked.Exchange(ref _armed, 0);
        if (pool.HasIdleBlocks)
        {
            Arm();
        }
    }

    // One at a time: the caller holds the tick.
    private long Trim(UniformUnmanagedMemoryPool pool, ref TrimReason reason)
    {
        if (pool.HasIdleBlocks && IsPressureHigh())
        {
            reason = TrimReason.Pressure;
            return pool.ReleaseTo(0, reason);
        }

        return IsPeriodOver() ? pool.ReleaseByPolicy(_policy, reason) : 0;
    }

    // At the end of the period, or earlier to look at memory pressure. Without a rest the last tick was one of pressure: the pace starts again.
    private TimeSpan UntilNextTick()
    {
        TimeSpan rest = _period - _time.GetElapsedTime(Volatile.Read(ref _lastPeriod));
        return rest > TimeSpan.Zero && rest < _interval ? rest : _interval;
    }

    // An eighth of an interval of tolerance, because timers are coarse: a tick that comes a moment early must not cost a whole interval.
    private bool IsPeriodOver()
    {
        long now = _time.GetTimestamp();
        if (_time.GetElapsedTime(Volatile.Read(ref _lastPeriod), now) < _period - TimeSpan.FromTicks(_interval.Ticks / 8))
        {
            return false;
        }

        Volatile.Write(ref _lastPeriod, now);
        return true;
    }

    private bool IsPressureHigh()
    {
        try
        {
            return _pressure.IsHigh();
        }
#pragma warning disable CA1031 // A source that fails must not end the process from a timer or the finalizer thread: it is a source that does not know.
        catch (Exception)
        {
            return false;
        }
#pragma warning restore CA1031
    }
}
