using System.Diagnostics.CodeAnalysis;
using PixelPool.Accounts;

namespace PixelPool.Budgets;

/// <summary>
/// Requests of one allocator that a budget has no room for: refused, or in line until it has. A request waits at one budget after the other, from the innermost
/// scope outwards, and keeps what it was granted until nobody goes on further in.
/// </summary>
/// <param name="options">Those of the allocator.</param>
/// <param name="accounts">Those of the allocator.</param>
/// <param name="owner">The type that exceptions name when it was disposed.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
/// <param name="isDeadlocked">Whether none of those who wait can go on.</param>
/// <param name="onLongWait">
/// Called once with each wait that is longer than <see cref="PixelAllocatorOptions.LongWaitThreshold"/>, and once more if it becomes part of a deadlock later. Throws nothing.
/// </param>
internal sealed class BudgetRequests(
    PixelAllocatorOptions options, MemoryAccounts accounts, string owner, MemoryBudget? budget, Func<bool> isDeadlocked, Action<BudgetWait, TimeSpan, bool> onLongWait) : IDisposable
{
    // Seldom enough to cost nothing: to make room may stop other threads for some µs.
    private static readonly TimeSpan s_makeRoomInterval = TimeSpan.FromMilliseconds(100);

    private readonly BudgetObserver _observer = new(accounts, options, new PendingWaits(owner), isDeadlocked, onLongWait);

    /// <summary>Counts a refusal, and tells of it.</summary>
    /// <param name="payer">The innermost budget.</param>
    /// <param name="bytes">Bytes it had to be charged with.</param>
    public void Refuse(MemoryBudget payer, long bytes) => _observer.Refuse(payer, bytes);

    /// <summary>The same, and throws.</summary>
    [DoesNotReturn]
    public void ThrowRefused(MemoryBudget payer, long bytes) => throw _observer.Explain(payer, bytes);

    /// <summary>Serves a request that a budget had no room for: waits, and takes memory with what was granted, until that is enough.</summary>
    /// <param name="payer">The innermost budget.</param>
    /// <param name="neededBytes">Bytes to be charged.</param>
    /// <param name="caller">Says who asks, if it has to wait.</param>
    /// <param name="tryTake">Takes memory that a grant pays for; says how much it needs if that is not enough.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="PixelBudgetExceededException">The time is over, or no time was given.</exception>
    public T Serve<T>(
        MemoryBudget payer, long neededBytes, Func<IWaitCaller> caller, Func<RentBudget, (T? Taken, long NeededBytes)> tryTake, CancellationToken cancellationToken)
        where T : class
    {
        if (options.RentTimeout == TimeSpan.Zero)
        {
            ThrowRefused(payer, neededBytes);
        }

        IWaitCaller known = caller();
        using BudgetWait wait = Begin(payer, neededBytes, known, continuation: null, cancellationToken);

        // The thread that is blocked wakes itself when its time is over: the thread pool may be full of threads that are blocked just here.
        using var limit = new TimeLimit(wait, _observer.Listener, options.RentTimeout, options.TimeProvider, blocksThread: true);
        while (true)
        {
            while (wait.Next() is { } waiter)
            {
                limit.Block(waiter, known.MakeRoom is null ? Timeout.InfiniteTimeSpan : s_makeRoomInterval);
                known.MakeRoom?.Invoke();
            }

            using BudgetGrant grant = wait.ToGrant();
            (T? taken, neededBytes) = tryTake(grant);
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
    /// <param name="tryTake">Takes memory that a grant pays for; says how much it needs if that is not enough.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public ValueTask<T> ServeAsync<T>(
        MemoryBudget payer, long neededBytes, IWaitCaller caller, Func<RentBudget, (bool IsTaken, T? Taken, long NeededBytes)> tryTake, CancellationToken cancellationToken) =>
        new AwaitedRequest<T>(this, payer, caller, neededBytes, tryTake, cancellationToken).Begin();

    /// <summary>Begins a request.</summary>
    /// <param name="payer">The innermost budget.</param>
    /// <param name="bytes">Bytes to be charged.</param>
    /// <param name="caller">Who asks.</param>
    /// <param name="continuation">Goes on with the request; null when a thread is blocked meanwhile.</param>
    /// <param name="cancellationToken">Ends the request.</param>
    public BudgetWait Begin(MemoryBudget payer, long bytes, IWaitCaller caller, IThreadPoolWorkItem? continuation, CancellationToken cancellationToken) =>
        new(payer, bytes, _observer, caller, continuation, cancellationToken);

    /// <summary>The time limit of a request that is awaited.</summary>
    public TimeLimit LimitAwaited(BudgetWait wait) => new(wait, _observer.Listener, options.AsyncRentTimeout ?? Timeout.InfiniteTimeSpan, options.TimeProvider, blocksThread: false);

    /// <summary>Those that wait now, and how long each of them has, the longest first.</summary>
    public List<(BudgetWait Wait, TimeSpan Waited)> ListWaits() => _observer.ListWaits();

    /// <summary>What the allocator holds and did so far, with the budget, and with what requests did.</summary>
    public PixelPoolStatistics GetStatistics() =>
        _observer.AddTo(accounts.GetStatistics() with { BudgetBytes = budget?.LimitBytes, ChargedBytes = budget?.ChargedBytes ?? 0 });

    /// <summary>The allocator was disposed: every request ends, now and later.</summary>
    public void Dispose()
    {
        _observer.Room.Close();
        _observer.Dispose();
    }
}
