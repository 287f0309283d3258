namespace PixelPool.Threading;

/// <summary>
/// A timer that the application's <see cref="TimeProvider"/> made, to fire once at a time. What it throws does not reach those who return memory: it is handed to
/// them as a value, and they go on without a timer. One that fires before it was started does not call back either.
/// </summary>
internal sealed class ApplicationTimer
{
    private readonly ITimer _timer;
    private readonly Action<object> _callback;
    private readonly object _state;
    private int _startingThread;
    private bool _firedTooEarly;

    private ApplicationTimer(TimeProvider time, Action<object> callback, object state)
    {
        _callback = callback;
        _state = state;

        // A timer captures the execution context. This one may live as long as the allocator: it must not hold what flows with the call that made it.
        using AsyncFlowControl? suppressed = ExecutionContext.IsFlowSuppressed() ? null : ExecutionContext.SuppressFlow();
        _timer = time.CreateTimer(static timer => ((ApplicationTimer)timer!).Fire(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan)
            ?? throw new InvalidOperationException("TimeProvider.CreateTimer returned null.");
    }

    /// <summary>Makes a timer that does not run yet. Throws what the application throws.</summary>
    /// <param name="time">The application's clock.</param>
    /// <param name="callback">Called when the timer fires. Throws nothing.</param>
    /// <param name="state">Passed to it; held by the timer.</param>
    public static ApplicationTimer Create(TimeProvider time, Action<object> callback, object state) => new(time, callback, state);

    /// <summary>Lets the timer fire once. By one thread at a time.</summary>
    /// <returns>What went wrong, or null: then it will fire.</returns>
    public Exception? Start(TimeSpan after)
    {
        _firedTooEarly = false;
        Volatile.Write(ref _startingThread, Environment.CurrentManagedThreadId);
        try
        {
            bool started = _timer.Change(after, Timeout.InfiniteTimeSpan);
            return !started ? new InvalidOperationException("ITimer.Change returned false.")
                : _firedTooEarly ? new InvalidOperationException("A timer fired before ITimer.Change returned.")
                : null;
        }
#pragma warning disable CA1031 // whatever the application throws
        catch (Exception failure)
        {
            return failure;
        }
#pragma warning restore CA1031
        finally
        {
            Volatile.Write(ref _startingThread, 0);
        }
    }

    /// <summary>Ends the timer.</summary>
    /// <returns>What went wrong, or null.</returns>
    public Exception? End()
    {
        try
        {
            _timer.Dispose();
            return null;
        }
#pragma warning disable CA1031 // whatever the application throws
        catch (Exception failure)
        {
            return failure;
        }
#pragma warning restore CA1031
    }

    private void Fire()
    {
        // Called back from within Change it would start itself again, for ever.
        if (Volatile.Read(ref _startingThread) == Environment.CurrentManagedThreadId)
        {
            _firedTooEarly = true;
            return;
        }

        _callback(_state);
    }
}
