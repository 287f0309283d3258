using PixelPool.Accounts;
using PixelPool.Application;

namespace PixelPool.Budgets;

/// <summary>
/// How long a request waits for budget, however often it begins anew. By the system's clock a thread that is blocked counts the time itself, and needs nobody to wake it: the thread pool
/// may be full of threads that are blocked here. Otherwise the request waits until a timer of the application's clock fires.
/// </summary>
internal sealed class TimeLimit : IDisposable
{
    private readonly IMemoryListener _listener;
    private readonly TimeSpan _limit;
    private readonly ITimer? _timer;
    private readonly long _began = TimeProvider.System.GetTimestamp();
    private readonly BudgetWait _wait;

    /// <param name="wait">The request.</param>
    /// <param name="listener">Told what the timer throws when the request has ended.</param>
    /// <param name="limit">How long the request waits; or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="time">The application's clock.</param>
    /// <param name="blocksThread">Whether a thread is blocked meanwhile.</param>
    /// <remarks>It throws what the application throws instead of making a timer: without one the request would wait forever.</remarks>
    public TimeLimit(BudgetWait wait, IMemoryListener listener, TimeSpan limit, TimeProvider time, bool blocksThread)
    {
        _wait = wait;
        _listener = listener;
        _limit = limit;
        _timer = limit == Timeout.InfiniteTimeSpan || (blocksThread && time == TimeProvider.System)
            ? null
            : time.CreateTimer(static wait => ((BudgetWait)wait!).End(WaitOutcome.TimedOut), wait, limit, Timeout.InfiniteTimeSpan)
                ?? throw new InvalidOperationException("TimeProvider.CreateTimer returned null.");
    }

    /// <summary>Blocks the thread until the request is granted or ended, or about as long as is said; ends it when the time is over.</summary>
    /// <param name="waiter">The request's place.</param>
    /// <param name="atMost">By the system's clock; or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted. The request still stands where it stood.</exception>
    public void Block(BudgetWaiter waiter, TimeSpan atMost)
    {
        if (_limit == Timeout.InfiniteTimeSpan || _timer is not null)
        {
            waiter.Block(atMost);
            return;
        }

        TimeSpan rest = _limit - TimeProvider.System.GetElapsedTime(_began);
        if (rest > TimeSpan.Zero)
        {
            waiter.Block(atMost != Timeout.InfiniteTimeSpan && atMost < rest ? atMost : rest);
        }
        else
        {
            _wait.End(WaitOutcome.TimedOut);
        }
    }

    // Whatever the application throws: the request has ended.
    public void Dispose()
    {
        if (_timer is not null && ApplicationTimer.End(_timer) is { } failure)
        {
            _listener.OnApplicationFailed("ITimer.Dispose", failure);
        }
    }
}
