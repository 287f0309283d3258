using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>
/// The requests that wait in an allocator: they end when it is disposed, or the scope that asks. Every second while there are any they are looked after, with a timer that runs only then, and up to a
/// second longer.
/// </summary>
/// <remarks>
/// <para>The timer is a help, not a promise: a clock or timer of the application that throws is told to the listener, and the next wait tries again.</para>
/// <para>
/// Invariant: while somebody waits the timer runs, unless it failed. Whoever begins to wait looks afterwards whether the timer runs; when it fires and nobody waits it first counts as stopped, and then it is looked once
/// more whether somebody waits: so one of the two sees the other. A running timer is held by the system, and keeps the allocator, and whoever waits in it, alive.
/// </para>
/// </remarks>
/// <param name="listener">Told what the application's clock throws.</param>
/// <param name="time">The clock.</param>
internal abstract class PendingWaits(IMemoryListener listener, TimeProvider time) : IDisposable
{
    /// <summary>The time between two looks. The first one may come sooner, where the timer still runs for those who wait no more.</summary>
    public static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    private readonly UninterruptibleLock _gate = new();
    private readonly LinkedList<BudgetWait> _waits = new();

    // Made by the first one who starts it.
    private ApplicationTimer? _timer;

    // 1 from its start until it has fired and those who wait were looked after. One thread at a time starts it.
    private int _isStarted;
    private volatile bool _isDisposed;

    /// <summary>How many wait now. Without the lock: whoever comes or leaves meanwhile may be counted or not.</summary>
    public int Count => _waits.Count;

    /// <summary>The request that has waited longest; null when none waits.</summary>
    public BudgetWait? Oldest
    {
        get
        {
            using (_gate.Hold())
            {
                return _waits.First?.Value;
            }
        }
    }

    /// <summary>The requests that wait now, in the order in which they came.</summary>
    public BudgetWait[] ToArray()
    {
        using (_gate.Hold())
        {
            var waits = new BudgetWait[_waits.Count];
            _waits.CopyTo(waits, 0);
            return waits;
        }
    }

    /// <summary>A request begins to wait; one that comes too late is ended at once.</summary>
    public void Enter(BudgetWait wait)
    {
        using (_gate.Hold())
        {
            wait.Place = _waits.AddLast(wait);
        }

        // Behind the lock, which is a barrier: a scope that ends looks afterwards whether anybody waits, so one of the two sees the other.
        if (IsDisposed(wait))
        {
            wait.End(WaitOutcome.Disposed);
        }

        Start();
    }

    /// <summary>It waits no more.</summary>
    public void Leave(BudgetWait wait)
    {
        using (_gate.Hold())
        {
            wait.Place?.List?.Remove(wait.Place);
        }
    }

    /// <summary>A scope was disposed: its requests end.</summary>
    public void EndThoseOfDisposed()
    {
        // Most scopes end while nobody waits: they do not meet at the lock. Each request is ended without the lock: that wakes others, which may take long.
        while (_waits.Count != 0 && TakeDisposed() is { } wait)
        {
            wait.End(WaitOutcome.Disposed);
        }
    }

    /// <summary>Ends every request, now and later, and the timer. Idempotent.</summary>
    public void Dispose()
    {
        _isDisposed = true;

        // Whoever begins to wait looks behind the lock whether that is set: one of the two sees the other.
        Interlocked.MemoryBarrier();
        EndThoseOfDisposed();
        Volatile.Read(ref _timer)?.End(listener);
    }

    /// <summary>Called every second while somebody waits. Throws nothing.</summary>
    protected abstract void Look();

    private bool IsDisposed(BudgetWait wait) => _isDisposed || wait.Caller.DisposedType is not null;

    private BudgetWait? TakeDisposed()
    {
        using (_gate.Hold())
        {
            for (LinkedListNode<BudgetWait>? place = _waits.First; place is not null; place = place.Next)
            {
                if (IsDisposed(place.Value))
                {
                    _waits.Remove(place);
                    return place.Value;
                }
            }

            return null;
        }
    }

    // No lambda: where there is no memory for what makes it, it fails for good.
    private static void OnTimer(object waits) => ((PendingWaits)waits).OnTimer();

    private void OnTimer()
    {
        bool looks = !_isDisposed && Count != 0;
        if (looks)
        {
            Look();
        }

        Interlocked.Exchange(ref _isStarted, 0);

        // After a look in any case: who was let in by that may still be about to leave.
        if (looks || Count != 0)
        {
            Start();
        }
    }

    // The timer fires once.
    private void Start()
    {
        if (_isDisposed || Interlocked.Exchange(ref _isStarted, 1) != 0)
        {
            return;
        }

        Exception? failure;
        try
        {
            _timer ??= new ApplicationTimer(time, OnTimer, this);
            failure = _timer.Start(Period);
        }
#pragma warning disable CA1031 // whatever the application throws
        catch (Exception thrown)
        {
            failure = thrown;
        }
#pragma warning restore CA1031

        if (failure is not null)
        {
            Interlocked.Exchange(ref _isStarted, 0);
            if (!_isDisposed)
            {
                listener.OnApplicationFailed("ITimer.Change", failure);
            }
        }
    }
}
