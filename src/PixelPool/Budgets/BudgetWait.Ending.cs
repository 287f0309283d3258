using PixelPool.Application;
using PixelPool.Threading;

namespace PixelPool.Budgets;

// What ends a request that is not granted: its caller's token, its time, or the end of the allocator or scope.
internal sealed unsafe partial class BudgetWait
{
    private readonly (TimeSpan Limit, string Option) _time = requests.TimeOf(isAwaited: continuation is not null);
    private readonly long _asked = TimeProvider.System.GetTimestamp();
    private CancellationTokenRegistration _cancellation;

    // Null where there is no time limit, and where the blocked thread counts the time itself.
    private ITimer? _timer;

    // Why it was ended: a WaitOutcome, which changes once.
    private int _end = (int)WaitOutcome.Failed;

    /// <summary>Ends the request, unless everything was granted. From any thread; only the first call counts.</summary>
    /// <remarks>The request says in which line it is, joins that, and looks then whether it was ended: one of the two sees the other.</remarks>
    public void End(WaitOutcome outcome)
    {
        Interlocked.CompareExchange(ref _end, (int)outcome, (int)WaitOutcome.Failed);
        Leave(Volatile.Read(ref _waiter));
    }

    /// <summary>
    /// Blocks the thread until the request is granted or ended, or about as long as is said; ends it when its time is over. By the system's clock the thread counts that itself, and needs nobody to
    /// wake it: the thread pool may be full of threads that are blocked here.
    /// </summary>
    /// <param name="waiter">The request's place.</param>
    /// <param name="atMost">By the system's clock; or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted. The request still stands where it stood.</exception>
    public void Block(BudgetWaiter waiter, TimeSpan atMost)
    {
        if (_timer is null && _time.Limit != Timeout.InfiniteTimeSpan)
        {
            TimeSpan rest = _time.Limit - TimeProvider.System.GetElapsedTime(_asked);
            if (rest <= TimeSpan.Zero)
            {
                End(WaitOutcome.TimedOut);
                return;
            }

            atMost = atMost == Timeout.InfiniteTimeSpan || rest < atMost ? rest : atMost;
        }

        waiter.Block(atMost);
    }

    private static void Leave(BudgetWaiter? waiter, bool comesBack = false)
    {
        if (waiter is not null && waiter.Budget.TryLeave(waiter, comesBack))
        {
            waiter.Wake();
        }
    }

    // No lambdas: where there is no memory for what makes them, they fail for good.
    private static void OnCancelled(object? wait) => ((BudgetWait)wait!).End(WaitOutcome.Cancelled);

    private static void OnTimedOut(object? wait) => ((BudgetWait)wait!).End(WaitOutcome.TimedOut);

    // It throws what the application throws instead of making a timer: without one the request would wait forever.
    private void BeginLimits()
    {
        _cancellation =
#if NET
            cancellationToken.UnsafeRegister(OnCancelled, this);
#else
            cancellationToken.Register(OnCancelled, this);
#endif
        bool countsItself = continuation is null && requests.Time == TimeProvider.System;
        if (_time.Limit != Timeout.InfiniteTimeSpan && !countsItself)
        {
            _timer = requests.Time.CreateTimer(OnTimedOut, this, _time.Limit, Timeout.InfiniteTimeSpan)
                ?? throw new InvalidOperationException("TimeProvider.CreateTimer returned null.");
        }
    }

    // The request has ended, whatever the application throws.
    private void EndLimits()
    {
        if (_timer is not null)
        {
            ApplicationTimer.End(_timer, requests.Listener);
        }

        Uninterrupted.TryDo(&Unregister, _cancellation);
    }

    // The token has locks of its own. A registration that stays would hold what was rented, for as long as the token lives.
    private static void Unregister(CancellationTokenRegistration cancellation) =>
#if NET
        cancellation.Unregister();
#else
        cancellation.Dispose();
#endif

    private bool HasEnded => Volatile.Read(ref _end) != (int)WaitOutcome.Failed;

    private Exception Explain(MemoryBudget level) => (WaitOutcome)_end switch
    {
        WaitOutcome.Disposed => new ObjectDisposedException(Caller.DisposedType ?? requests.Owner),
        WaitOutcome.Cancelled => new OperationCanceledException(cancellationToken),
        _ => requests.Explain(level, Bytes, _time),
    };
}
