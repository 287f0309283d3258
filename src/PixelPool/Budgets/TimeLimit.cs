using PixelPool.Accounts;

namespace PixelPool.Budgets;

/// <summary>
/// How long a request waits for budget. By the system's clock a thread that is blocked counts the time itself, and needs nobody to wake it: the thread pool may be full of
/// threads that are blocked here. Otherwise the request waits until a timer of the application's clock fires.
/// </summary>
internal sealed class TimeLimit : IDisposable
{
    private readonly IMemoryListener _listener;
    private readonly BudgetWait _wait;
    private readonly TimeSpan _limit;
    private readonly ITimer? _timer;
    private readonly long _began;

    /// <summary>Throws what the application throws instead of making a timer: without one the request would wait forever.</summary>
    public TimeLimit(IMemoryListener listener, BudgetWait wait, TimeSpan limit, TimeProvider time, bool blocksThread)
    {
        _listener = listener;
        _wait = wait;
        _limit = limit;
        if (limit != Timeout.InfiniteTimeSpan && !(blocksThread && time == TimeProvider.System))
        {
            _limit = Timeout.InfiniteTimeSpan;
            _timer = time.CreateTimer(static wait => ((BudgetWait)wait!).End(WaitOutcome.TimedOut), wait, limit, Timeout.InfiniteTimeSpan)
                ?? throw new InvalidOperationException("TimeProvider.CreateTimer returned null.");
        }

        _began = TimeProvider.System.GetTimestamp();
    }

    /// <summary>Blocks the thread until the request is granted or ended, or about as long as is said; ends it when the time is over.</summary>
    /// <param name="waiter">The request's place.</param>
    /// <param name="atMost">By the system's clock; or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted. The request still stands where it stood.</exception>
    public void Block(BudgetWaiter waiter, TimeSpan atMost)
    {
        if (_limit == Timeout.InfiniteTimeSpan)
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

    public void Dispose()
    {
        try
        {
            _timer?.Dispose();
        }
#pragma warning disable CA1031 // Whatever the application throws: the request has ended.
        catch (Exception failure)
        {
            _listener.OnApplicationFailed("ITimer.Dispose", failure);
        }
#pragma warning restore CA1031
    }
}
