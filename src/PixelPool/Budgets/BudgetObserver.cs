using PixelPool.Accounts;
using PixelPool.Application;

namespace PixelPool.Budgets;

/// <summary>
/// Sees the requests of one allocator that its budgets have no room for: counts them, tells of them, and has leaks searched for them. Nobody else writes here.
/// </summary>
internal sealed class BudgetObserver(MemoryAccounts accounts, TimeProvider time) : IDisposable
{
    private readonly ApplicationClock _clock = new(accounts.Listener, time);
    private readonly LeakSearch _leakSearch = new(accounts.Listener, time, () => accounts.LeakedCount);
    private long _waiting;
    private long _waits;
    private long _waitTicks;
    private long _refusals;

    /// <summary>Told of everything.</summary>
    public IMemoryListener Listener { get; } = accounts.Listener;

    public long WaitingRents => Volatile.Read(ref _waiting);

    public long Waits => Volatile.Read(ref _waits);

    public TimeSpan WaitTime => new(Volatile.Read(ref _waitTicks));

    public long Refusals => Volatile.Read(ref _refusals);

    public void OnRefusal(long bytes, long limitBytes)
    {
        Interlocked.Increment(ref _refusals);
        Listener.OnRefused(bytes, limitBytes);
        _leakSearch.OnRefusal();
    }

    /// <returns>When the wait began: for <see cref="EndWait"/>. Null when the application's clock does not say.</returns>
    public TimeSpan? BeginWait()
    {
        TimeSpan? now = _clock.TryRead();
        Interlocked.Increment(ref _waiting);
        _leakSearch.BeginWait();
        return now;
    }

    public void EndWait(TimeSpan? began, long bytes, WaitOutcome outcome)
    {
        // A clock that fails, or goes backwards, adds nothing.
        TimeSpan waited = began is { } then && _clock.TryRead() is { } now && now > then ? now - then : TimeSpan.Zero;
        _leakSearch.EndWait();
        Interlocked.Add(ref _waitTicks, waited.Ticks);

        // In this order: who reads in between must not count a wait twice.
        Interlocked.Decrement(ref _waiting);
        Interlocked.Increment(ref _waits);
        Listener.OnWaited(bytes, waited, outcome.ToString());
    }

    /// <summary>Ends the search for leaks.</summary>
    public void Dispose() => _leakSearch.Dispose();
}
