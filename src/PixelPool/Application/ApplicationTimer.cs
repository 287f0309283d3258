using PixelPool.Accounts;
using PixelPool.Threading;

namespace PixelPool.Application;

/// <summary>
/// A timer that the application's <see cref="TimeProvider"/> made, to fire once at a time. What it throws does not reach those who return memory: it is handed to
/// them as a value, and they go on without a timer. One that fires before it was started does not call back either.
/// </summary>
/// <remarks>Until it fires, a timer that was started is held by the system, and holds what it calls back with: not this object, and not the application's timer.</remarks>
internal sealed class ApplicationTimer
{
    private readonly Target _target;
    private readonly ITimer _timer;

    /// <summary>Makes a timer that does not run yet. Throws what the application throws.</summary>
    /// <param name="time">The application's clock.</param>
    /// <param name="callback">Called when the timer fires. Throws nothing.</param>
    /// <param name="state">Passed to it; held by the timer.</param>
    public ApplicationTimer(TimeProvider time, Action<object> callback, object state)
    {
        _target = new Target(callback, state);

        // A timer captures the execution context. This one may live as long as the allocator: it must not hold what flows with the call that made it.
        AsyncFlowControl? suppressed = ExecutionContext.IsFlowSuppressed() ? null : ExecutionContext.SuppressFlow();
        try
        {
            _timer = time.CreateTimer(_target.Fire, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan)
                ?? throw new InvalidOperationException("TimeProvider.CreateTimer returned null.");
        }
        finally
        {
            suppressed?.Undo();
        }
    }

    /// <summary>Lets the timer fire once. By one thread at a time.</summary>
    /// <returns>What went wrong, or null: then it will fire.</returns>
    public Exception? Start(TimeSpan after)
    {
        _target.FiredTooEarly = false;
        _target.WasStarted = true;
        Volatile.Write(ref _target.StartingThread, Environment.CurrentManagedThreadId);
        try
        {
            return !AskAgain(_timer, after) ? new InvalidOperationException("ITimer.Change returned false.")
                : _target.FiredTooEarly ? new InvalidOperationException("A timer fired before ITimer.Change returned.")
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
            Volatile.Write(ref _target.StartingThread, 0);
        }
    }

    /// <summary>Ends the timer.</summary>
    /// <param name="listener">Told what went wrong.</param>
    public void End(IMemoryListener listener) => End(_timer, listener);

    /// <summary>Ends a timer that the application made.</summary>
    /// <param name="timer">The timer.</param>
    /// <param name="listener">Told what went wrong.</param>
    public static void End(ITimer timer, IMemoryListener listener)
    {
        try
        {
            AskAgain(timer, after: null);
        }
#pragma warning disable CA1031 // whatever the application throws
        catch (Exception failure)
        {
            listener.OnApplicationFailed("ITimer.Dispose", failure);
        }
#pragma warning restore CA1031
    }

    // The system's timers have a lock, at which a thread can be interrupted. Then they are asked once more, and the interrupt is kept for the next time that the thread blocks elsewhere.
    private static bool AskAgain(ITimer timer, TimeSpan? after)
    {
        try
        {
            return Ask(timer, after);
        }
        catch (ThreadInterruptedException interrupt)
        {
            try
            {
                return Ask(timer, after);
            }
            finally
            {
                Uninterrupted.Keep(interrupt);
            }
        }
    }

    private static bool Ask(ITimer timer, TimeSpan? after)
    {
        if (after is { } time)
        {
            return timer.Change(time, Timeout.InfiniteTimeSpan);
        }

        timer.Dispose();
        return true;
    }

    private sealed class Target(Action<object> callback, object state)
    {
        public volatile bool WasStarted;
        public int StartingThread;
        public bool FiredTooEarly;

        public void Fire(object? _)
        {
            // Called back while it is made, or from within Change, it would be made or start itself again, forever.
            if (!WasStarted)
            {
                return;
            }

            if (Volatile.Read(ref StartingThread) == Environment.CurrentManagedThreadId)
            {
                FiredTooEarly = true;
                return;
            }

            callback(state);
        }
    }
}
