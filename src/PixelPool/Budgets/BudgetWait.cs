namespace PixelPool.Budgets;

/// <summary>
/// One request's way through the lines of its budgets, from the innermost scope outwards. It keeps what it was granted while it waits for the next one: that is
/// held by nobody, so those whom it waits for never wait for it.
/// </summary>
internal sealed class BudgetWait : IDisposable
{
    private readonly MemoryBudget _budget;
    private readonly long _bytes;
    private readonly BudgetObserver _observer;
    private readonly WaitEnd _end;
    private readonly CancellationTokenSource _linked;
    private MemoryBudget? _level;
    private BudgetWaiter? _waiter;
    private WaitOutcome _outcome;
    private long _began;
    private bool _waited;

    /// <param name="budget">The innermost budget.</param>
    /// <param name="bytes">Bytes to be charged to it and to all around it.</param>
    /// <param name="observer">Told of the wait, and of a refusal.</param>
    /// <param name="end">What ends the wait.</param>
    /// <exception cref="PixelBudgetExceededException">The bytes would not fit into an empty budget.</exception>
    public BudgetWait(MemoryBudget budget, long bytes, BudgetObserver observer, in WaitEnd end)
    {
        _budget = _level = budget;
        _bytes = bytes;
        _observer = observer;
        _end = end;
        if (!budget.CanEverHold(bytes))
        {
            throw Refuse(budget);
        }

        _linked = end.Link();
    }

    /// <summary>Waits for the next charge that can not be had at once; null when all are.</summary>
    /// <exception cref="PixelBudgetExceededException">A reservation has no room.</exception>
    public Task? Next()
    {
        while (_level is not null)
        {
            if (!_level.TryChargeAlone(_bytes))
            {
                return Join(_level);
            }

            _level = _level.Next;
        }

        return null;
    }

    /// <summary>To be called when the task of <see cref="Next"/> is complete.</summary>
    public void OnGranted()
    {
        _waiter = null;
        _level = _level!.Next;
    }

    /// <summary>To be called when the task of <see cref="Next"/> was cancelled.</summary>
    /// <returns>What the request throws.</returns>
    public Exception OnCancelled()
    {
        _waiter = null;
        (_outcome, Exception? exception) = _end.Explain();
        return exception ?? Refuse(_level!);
    }

    /// <summary>What was charged, all of it: to be called when <see cref="Next"/> has said null.</summary>
    public BudgetGrant ToGrant()
    {
        var grant = new BudgetGrant(_budget, _bytes);
        _outcome = WaitOutcome.Granted;
        return grant;
    }

    /// <summary>Unless <see cref="ToGrant"/> took it over, gives back what was granted.</summary>
    public void Dispose()
    {
        _linked.Dispose();
        if (_waiter is not null && !_level!.TryLeave(_waiter))
        {
            _level = _level.Next;
        }

        if (_outcome != WaitOutcome.Granted)
        {
            for (MemoryBudget? charged = _budget; charged != _level; charged = charged!.Next)
            {
                charged!.ReleaseAlone(_bytes);
            }
        }

        if (_waited)
        {
            _observer.EndWait(_began, _bytes, _outcome);
        }
    }

    private Task Join(MemoryBudget level)
    {
        if (level.IsReservation)
        {
            throw Refuse(level);
        }

        if (!_waited)
        {
            _began = _observer.BeginWait();
            _waited = true;
        }

        BudgetWaiter waiter = level.Join(_bytes);
        _waiter = waiter;
        _linked.Token.Register(
            static state =>
            {
                (MemoryBudget budget, BudgetWaiter leaving) = ((MemoryBudget, BudgetWaiter))state!;
                if (budget.TryLeave(leaving))
                {
                    leaving.TrySetCanceled();
                }
            },
            (level, waiter));
        return waiter.Task;
    }

    private PixelBudgetExceededException Refuse(MemoryBudget by)
    {
        MemoryBudget refusing = by.RefusedBy(_bytes);
        _observer.OnRefusal(_bytes, refusing.LimitBytes);
        return new PixelBudgetExceededException(_bytes, refusing);
    }
}
