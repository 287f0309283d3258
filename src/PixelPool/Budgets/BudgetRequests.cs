using PixelPool.Accounts;
using PixelPool.Application;

namespace PixelPool.Budgets;

/// <summary>
/// Requests of one allocator that a budget has no room for: refused, or in line until it has. A request waits at one budget after the other, from the innermost
/// scope outwards, and keeps what it was granted until nobody goes on further in. All of it is counted and reported here, and nowhere else; those that wait long are looked after.
/// </summary>
/// <param name="options">Those of the allocator.</param>
/// <param name="accounts">Those of the allocator.</param>
/// <param name="owner">See <see cref="Owner"/>.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
/// <param name="isDeadlocked">Whether none of those who wait can go on.</param>
/// <param name="onLongWaits">
/// Called at a look with all waits that are longer than <see cref="PixelAllocatorOptions.LongWaitThreshold"/> by now: once with each of them, and once more if it becomes part of a deadlock later. Throws only for lack of
/// memory: then they are counted and not told.
/// </param>
internal sealed class BudgetRequests(
    PixelAllocatorOptions options, MemoryAccounts accounts, string owner, MemoryBudget? budget, Func<bool> isDeadlocked, Action<List<(BudgetWait Wait, TimeSpan Waited)>, bool> onLongWaits)
    : PendingWaits(accounts.Listener, options.TimeProvider)
{
    // Made with the allocator: Enum.ToString needs memory.
    private readonly string[] _outcomes = typeof(WaitOutcome).GetEnumNames();
    private readonly ApplicationClock _clock = new(accounts.Listener, options.TimeProvider);
    private readonly LeakSearch _leakSearch = new(accounts);
    private long _waits;
    private long _longWaits;
    private long _waitTicks;
    private long _refusals;

    /// <summary>The type that exceptions name when it was disposed.</summary>
    public string Owner => owner;

    /// <summary>Told of everything.</summary>
    public IMemoryListener Listener => accounts.Listener;

    /// <summary>The application's clock.</summary>
    public TimeProvider Time => options.TimeProvider;

    /// <summary>Counts a refusal, and tells of it.</summary>
    /// <param name="refusing">The budget that has no room: see <see cref="MemoryBudget.RefusedBy"/>.</param>
    /// <param name="bytes">Bytes it had to be charged with.</param>
    public void Refuse(MemoryBudget refusing, long bytes)
    {
        Interlocked.Increment(ref _refusals);
        Listener.OnRefused(bytes, refusing.LimitBytes);
        _leakSearch.Search(_clock.TryRead());
    }

    /// <summary>The same, for a caller that throws.</summary>
    /// <param name="refusing">The budget that has no room: that in whose line the request was had none, whatever it has now.</param>
    /// <param name="bytes">Bytes it had to be charged with.</param>
    /// <param name="waited">How long the request was in line, and the option that says so; null if it was not.</param>
    public PixelBudgetExceededException Explain(MemoryBudget refusing, long bytes, (TimeSpan Limit, string Option)? waited = null)
    {
        Refuse(refusing, bytes);
        return BudgetRefusal.Of(refusing, bytes, Listener.DescribeHolders(refusing), waited);
    }

    /// <summary>How long a request waits, or <see cref="Timeout.InfiniteTimeSpan"/>, and the option that says so.</summary>
    /// <param name="isAwaited">Whether no thread is blocked.</param>
    public (TimeSpan Limit, string Option) TimeOf(bool isAwaited) => isAwaited
        ? (options.AsyncRentTimeout ?? Timeout.InfiniteTimeSpan, nameof(options.AsyncRentTimeout))
        : (options.RentTimeout, nameof(options.RentTimeout));

    /// <summary>Serves a request that a budget had no room for: waits, and takes memory with what was granted, until that is enough.</summary>
    /// <param name="payer">The innermost budget.</param>
    /// <param name="neededBytes">Bytes to be charged.</param>
    /// <param name="caller">Says who asks, if it has to wait.</param>
    /// <param name="tryTake">Takes memory that a grant pays for; says how much it needs if that is not enough.</param>
    /// <param name="makeRoom">Makes room where nobody else does: called from time to time while it waits. What it throws ends the wait. Null: nothing does.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="PixelBudgetExceededException">The time is over, or no time was given.</exception>
    public T Serve<T>(
        MemoryBudget payer,
        long neededBytes,
        Func<IWaitCaller> caller,
        Func<RentBudget, (T? Taken, long NeededBytes)> tryTake,
        Action? makeRoom,
        CancellationToken cancellationToken)
        where T : class
    {
        if (options.RentTimeout == TimeSpan.Zero)
        {
            throw Explain(payer.RefusedBy(neededBytes), neededBytes);
        }

        using var wait = new BudgetWait(payer, neededBytes, this, caller(), continuation: null, cancellationToken);
        while (true)
        {
            while (wait.Next() is { } waiter)
            {
                // Seldom enough to cost nothing: to make room may stop other threads for some µs.
                wait.Block(waiter, makeRoom is null ? Timeout.InfiniteTimeSpan : TimeSpan.FromMilliseconds(100));
                makeRoom?.Invoke();
            }

            (T? taken, neededBytes) = tryTake(wait);
            if (taken is not null)
            {
                return taken;
            }

            wait.BeginAnew(neededBytes);
        }
    }

    /// <summary>As <see cref="Serve"/>, without a thread that is blocked.</summary>
    /// <param name="payer">The innermost budget.</param>
    /// <param name="neededBytes">Bytes to be charged.</param>
    /// <param name="caller">Who asks.</param>
    /// <param name="tryTake">Takes memory that a grant pays for; says how much it needs if that is not enough, and 0 if it is.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public ValueTask<T> ServeAsync<T>(
        MemoryBudget payer, long neededBytes, IWaitCaller caller, Func<RentBudget, (T? Taken, long NeededBytes)> tryTake, CancellationToken cancellationToken) =>
        new AwaitedRequest<T>(this, payer, caller, neededBytes, tryTake, cancellationToken).Begin();

    /// <summary>A request begins to wait. It ends at once if the allocator or its scope was disposed before.</summary>
    public void BeginWait(BudgetWait wait)
    {
        wait.Began = _clock.TryRead();
        Enter(wait);
    }

    /// <summary>It waits no more. Throws nothing: what was granted would be lost.</summary>
    public void EndWait(BudgetWait wait, WaitOutcome outcome)
    {
        // In this order: who reads in between must not count a wait twice.
        Leave(wait);
        TimeSpan waited = Since(wait.Began, _clock.TryRead());
        Interlocked.Add(ref _waitTicks, waited.Ticks);
        Interlocked.Increment(ref _waits);
        Listener.OnWaited(wait.Bytes, waited, _outcomes[(int)outcome]);
    }

    /// <summary>Those that wait now, and how long each of them has, the longest first.</summary>
    public (BudgetWait Wait, TimeSpan Waited)[] ListWaits()
    {
        TimeSpan? now = _clock.TryRead();
        return Array.ConvertAll(ToArray(), wait => (wait, Since(wait.Began, now)));
    }

    /// <summary>What the allocator holds and did so far, with the budget, and with what requests did.</summary>
    public PixelPoolStatistics GetStatistics() => accounts.GetStatistics() with
    {
        BudgetBytes = budget?.LimitBytes,
        ChargedBytes = budget?.ChargedBytes ?? 0,
        WaitingRents = Count,
        LongestWait = Oldest is { } oldest ? Since(oldest.Began, _clock.TryRead()) : TimeSpan.Zero,
        Waits = Volatile.Read(ref _waits),
        LongWaits = Volatile.Read(ref _longWaits),
        WaitTime = new TimeSpan(Volatile.Read(ref _waitTicks)),
        BudgetRefusals = Volatile.Read(ref _refusals),
    };

    // A clock that fails, or goes backwards, adds nothing.
    private static TimeSpan Since(TimeSpan? began, TimeSpan? now) => began is { } then && now is { } moment && moment > then ? moment - then : TimeSpan.Zero;

    protected override void Look()
    {
        try
        {
            _leakSearch.Search(_clock.TryRead());

            // No list, which searches make without a capacity, and no lambda that captures nothing: what is made for those when it is needed first, and fails then for lack of memory, has failed for good.
            (BudgetWait Wait, TimeSpan Waited)[] waits = ListWaits();
            var keeping = new BudgetWait?[waits.Length];
            for (int i = 0; i < waits.Length; i++)
            {
                // Each budget once.
                MemoryBudget waitedFor = waits[i].Wait.Budget;
                if (Array.FindIndex(waits, entry => entry.Wait.Budget == waitedFor) == i)
                {
                    EndStall(waitedFor, waits, keeping);
                }
            }

            ReportLong(waits);
        }
        catch (Exception e) when (e is OutOfMemoryException or TypeInitializationException)
        {
            // Those who wait go on waiting. There is a next look; who was to be told of meanwhile is counted.
        }
    }

    private static void EndStall(MemoryBudget budget, (BudgetWait Wait, TimeSpan Waited)[] waits, BudgetWait?[] keeping)
    {
        long keptBytes = 0;
        for (int i = 0; i < waits.Length; i++)
        {
            // Before the look: who is let in by that does not step back.
            keeping[i] = waits[i].Wait.Keeps(budget) ? waits[i].Wait : null;
            keptBytes += keeping[i]?.Bytes ?? 0;
        }

        if (budget.LookForStall(keptBytes))
        {
            foreach (BudgetWait? wait in keeping)
            {
                wait?.StepBack();
            }
        }
    }

    // Once each, and once more as a deadlock: a return may complete that later.
    private void ReportLong((BudgetWait Wait, TimeSpan Waited)[] waits)
    {
        // Before any of them counts as reported: it needs memory.
        bool isDeadlock = Array.Exists(waits, IsLong) && isDeadlocked();
        var told = new List<(BudgetWait Wait, TimeSpan Waited)>(waits.Length);
        foreach ((BudgetWait wait, TimeSpan waited) in waits)
        {
            if (IsLong((wait, waited)) && (isDeadlock || wait.WasDeadlock is null))
            {
                Interlocked.Add(ref _longWaits, wait.WasDeadlock is null ? 1 : 0);
                wait.WasDeadlock = isDeadlock;
                told.Add((wait, waited));
            }
        }

        if (told.Count != 0)
        {
            onLongWaits(told, isDeadlock);
        }
    }

    private bool IsLong((BudgetWait Wait, TimeSpan Waited) entry) =>
        options.LongWaitThreshold != Timeout.InfiniteTimeSpan && entry.Waited >= options.LongWaitThreshold && entry.Wait.WasDeadlock != true && entry.Wait.StandsInLine;
}
