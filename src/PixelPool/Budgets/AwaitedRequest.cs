using System.Runtime.ExceptionServices;
using System.Threading.Tasks.Sources;
using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>A request that its caller awaits: it waits for budget, and takes memory with what was granted, until that is enough.</summary>
/// <remarks>
/// It is no asynchronous method. Those need memory where they begin to wait, and again where they fail: without it what was granted would stay charged forever, or an exception
/// would end the process. All that the end of this one needs is there before it gets in line. One thread at a time goes on with it: the one that asked, then whichever
/// <see cref="BudgetWaiter.TryHandOver"/> hands it to.
/// </remarks>
/// <param name="requests">Where it waits.</param>
/// <param name="payer">The innermost budget.</param>
/// <param name="caller">Who asks.</param>
/// <param name="neededBytes">Bytes to be charged.</param>
/// <param name="tryTake">Takes memory that a grant pays for; says how much it needs if that is not enough, and 0 if it is.</param>
/// <param name="cancellationToken">Cancels the wait.</param>
internal sealed class AwaitedRequest<T>(
    BudgetRequests requests, MemoryBudget payer, IWaitCaller caller, long neededBytes,
    Func<RentBudget, (T? Taken, long NeededBytes)> tryTake, CancellationToken cancellationToken)
    : IValueTaskSource<T>, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<bool> _awaiter;
    private BudgetWait? _wait;

    // How it ended: to be read when it is done.
    private T? _taken;
    private Exception? _failure;

    /// <summary>Asks. To be called once.</summary>
    public ValueTask<T> Begin()
    {
        Execute();
        return new ValueTask<T>(this, _awaiter.Version);
    }

    /// <summary>Goes on, until it has to wait or is done.</summary>
    public void Execute()
    {
        try
        {
            _wait ??= new BudgetWait(payer, neededBytes, requests, caller, this, cancellationToken);
            while (neededBytes != 0)
            {
                while (_wait.Next() is { } waiter)
                {
                    if (waiter.TryHandOver())
                    {
                        // Somebody else goes on, as soon as the wait ends.
                        return;
                    }
                }

                (_taken, neededBytes) = tryTake(_wait);
                if (neededBytes != 0)
                {
                    _wait.BeginAnew(neededBytes);
                }
            }
        }
#pragma warning disable CA1031 // who awaits it gets it
        catch (Exception failure)
        {
            _failure = failure;
        }
#pragma warning restore CA1031

        _wait?.Dispose();
        _awaiter.SetResult(true);
        Sleepers.WakeOne(this);
    }

    /// <inheritdoc/>
    public ValueTaskSourceStatus GetStatus(short token)
    {
        ValueTaskSourceStatus status = _awaiter.GetStatus(token);
        return status == ValueTaskSourceStatus.Pending || _failure is null ? status
            : _failure is OperationCanceledException ? ValueTaskSourceStatus.Canceled
            : ValueTaskSourceStatus.Faulted;
    }

    /// <inheritdoc/>
    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _awaiter.OnCompleted(continuation, state, token, flags);

    /// <summary>What was taken. Who asks before it is there waits for it, as for a task.</summary>
    public T GetResult(short token)
    {
        if (_awaiter.GetStatus(token) == ValueTaskSourceStatus.Pending)
        {
            lock (this)
            {
                try
                {
                    while (_awaiter.GetStatus(token) == ValueTaskSourceStatus.Pending)
                    {
                        Monitor.Wait(this);
                    }
                }
                finally
                {
                    // A wake-up wakes one, which may be interrupted then.
                    Monitor.Pulse(this);
                }
            }
        }

        if (_failure is not null)
        {
            ExceptionDispatchInfo.Capture(_failure).Throw();
        }

        return _taken!;
    }
}
