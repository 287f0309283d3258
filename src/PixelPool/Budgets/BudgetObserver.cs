using PixelPool.Accounts;
using PixelPool.Application;

namespace PixelPool.Budgets;

/// <summary>
/// Sees the requests of one allocator that its budgets have no room for: counts them, reports them, and looks after those that wait long. Nobody else writes here.
/// </summary>
internal sealed class BudgetObserver : IDisposable
{
    // Made with the allocator: Enum.ToString needs memory.
    private readonly string[] _outcomes = typeof(WaitOutcome).GetEnumNames();
    private readonly ApplicationClock _clock;
    private readonly LeakSearch _leakSearch;
    private readonly WaitWatch _watch;
    private readonly TimeSpan _longWait;
    private readonly Func<bool> _isDeadlocked;
    private readonly Action<BudgetWait, TimeSpan, bool> _onLongWait;
    private readonly WaitedTime _blocked;
    private readonly WaitedTime _awaited;
    private long _waits;
    private long _longWaits;
    private long _waitTicks;
    private long _refusals;

    /// <param name="accounts">Those of the allocator.</param>
    /// <param name="options">Those of the allocator.</param>
    /// <param name="room">Where the requests of the allocator wait.</param>
    /// <param name="isDeadlocked">Whether none of those who wait can go on.</param>
    /// <param name="onLongWait">
    /// Called once with each wait that is longer than <see cref="PixelAllocatorOptions.LongWaitThreshold"/>, and once more if it becomes part of a deadlock later. Throws nothing.
    /// </param>
    public BudgetObserver(
        MemoryAccounts accounts, PixelAllocatorOptions options, PendingWaits room, Func<bool> isDeadlocked, Action<BudgetWait, TimeSpan, bool> onLongWait)
    {
        Listener = accounts.Listener;
        _clock = new ApplicationClock(Listener, options.TimeProvider);
        _leakSearch = new LeakSearch(_clock, () => accounts.LeakedCount);
        _watch = new WaitWatch(Listener, options.TimeProvider, LookAfterThoseWhoWait);
        Room = room;
        _longWait = options.LongWaitThreshold;
        _isDeadlocked = isDeadlocked;
        _onLongWait = onLongWait;
        _blocked = new WaitedTime(options.RentTimeout, nameof(options.RentTimeout));
        _awaited = new WaitedTime(options.AsyncRentTimeout ?? Timeout.InfiniteTimeSpan, nameof(options.AsyncRentTimeout));
    }

    /// <summary>Told of everything.</summary>
    public IMemoryListener Listener { get; }

    /// <summary>Where the requests of the allocator wait.</summary>
    public PendingWaits Room { get; }

    /// <summary>A request is refused: that is counted and told.</summary>
    /// <param name="payer">The innermost budget.</param>
    /// <param name="bytes">Bytes it had to be charged with.</param>
    /// <returns>The budget that has no room.</returns>
    public MemoryBudget Refuse(MemoryBudget payer, long bytes)
    {
        MemoryBudget refusing = payer.RefusedBy(bytes);
        CountRefusal(refusing, bytes);
        return refusing;
    }

    /// <summary>The same, for a caller that throws.</summary>
    public PixelBudgetExceededException Explain(MemoryBudget payer, long bytes)
    {
        MemoryBudget refusing = Refuse(payer, bytes);
        return BudgetRefusal.Of(refusing, bytes, Listener.DescribeHolders(refusing));
    }

    /// <summary>A request was in line, and its time is over.</summary>
    /// <param name="budget">The budget in whose line it was: it had no room, whatever it has now.</param>
    /// <param name="bytes">Bytes it had to be charged with.</param>
    /// <param name="isAwaited">Whether no thread was blocked.</param>
    public PixelBudgetExceededException ExplainTimeout(MemoryBudget budget, long bytes, bool isAwaited)
    {
        CountRefusal(budget, bytes);
        return BudgetRefusal.Of(budget, bytes, Listener.DescribeHolders(budget), isAwaited ? _awaited : _blocked);
    }

    /// <returns>When the wait began: for <see cref="EndWait"/>. Null when the application's clock does not say.</returns>
    public TimeSpan? BeginWait()
    {
        TimeSpan? now = _clock.TryRead();
        _watch.BeginWait();
        return now;
    }

    /// <summary>Throws nothing: what was granted would be lost.</summary>
    public void EndWait(TimeSpan? began, long bytes, WaitOutcome outcome)
    {
        TimeSpan waited = Since(began, _clock.TryRead());
        Interlocked.Add(ref _waitTicks, waited.Ticks);

        // In this order: who reads in between must not count a wait twice.
        _watch.EndWait();
        Interlocked.Increment(ref _waits);
        Listener.OnWaited(bytes, waited, _outcomes[(int)outcome]);
    }

    /// <summary>Those that wait now, and how long each of them has, the longest first.</summary>
    public List<(BudgetWait Wait, TimeSpan Waited)> ListWaits()
    {
        TimeSpan? now = _clock.TryRead();
        return Room.ToList().ConvertAll(wait => (wait, Since(wait.Began, now)));
    }

    /// <summary>What was seen so far, added to what the allocator holds.</summary>
    public PixelPoolStatistics AddTo(in PixelPoolStatistics statistics) => statistics with
    {
        WaitingRents = _watch.Waiting,
        LongestWait = Room.Oldest is { } oldest ? Since(oldest.Began, _clock.TryRead()) : TimeSpan.Zero,
        Waits = Volatile.Read(ref _waits),
        LongWaits = Volatile.Read(ref _longWaits),
        WaitTime = new TimeSpan(Volatile.Read(ref _waitTicks)),
        BudgetRefusals = Volatile.Read(ref _refusals),
    };

    /// <summary>Nobody is looked after any more.</summary>
    public void Dispose() => _watch.Dispose();

    // A clock that fails, or goes backwards, adds nothing.
    private static TimeSpan Since(TimeSpan? began, TimeSpan? now) => began is { } then && now is { } moment && moment > then ? moment - then : TimeSpan.Zero;

    private void CountRefusal(MemoryBudget refusing, long bytes)
    {
        Interlocked.Increment(ref _refusals);
        Listener.OnRefused(bytes, refusing.LimitBytes);
        _leakSearch.Search();
    }

    private void LookAfterThoseWhoWait()
    {
        try
        {
            _leakSearch.Search();
            List<(BudgetWait Wait, TimeSpan Waited)> waits = ListWaits();
            foreach (MemoryBudget budget in waits.Select(static entry => entry.Wait.Budget).Distinct())
            {
                List<(BudgetWait Wait, TimeSpan Waited)> keeping = waits.FindAll(entry => entry.Wait.BytesKeptIn(budget) != 0);
                if (budget.LookForStall(keeping.Sum(entry => entry.Wait.Bytes)))
                {
                    keeping.ForEach(static entry => entry.Wait.StepBack());
                }
            }

            ReportLong(waits.FindAll(entry => _longWait != Timeout.InfiniteTimeSpan && entry.Waited >= _longWait && !entry.Wait.IsDeadlockReported));
        }
        catch (Exception e) when (e is OutOfMemoryException or TypeInitializationException)
        {
            // Those who wait go on waiting. There is a next look.
        }
    }

    private void ReportLong(List<(BudgetWait Wait, TimeSpan Waited)> waits)
    {
        // Before any of them counts as reported: it needs memory.
        bool isDeadlock = waits.Count != 0 && _isDeadlocked();
        foreach ((BudgetWait wait, TimeSpan waited) in waits)
        {
            bool isFirst = !wait.IsReported;
            if (wait.TryReport(isDeadlock))
            {
                Interlocked.Add(ref _longWaits, isFirst ? 1 : 0);
                _onLongWait(wait, waited, isDeadlock);
            }
        }
    }
}
