using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <content>Those who wait, and who may pass them. The lock is only taken while somebody waits.</content>
internal sealed partial class MemoryBudget
{
    private readonly UninterruptibleLock _line = new();
    private readonly WaitLine _waiters;

    // Whether anything was returned, or given up, since it was last looked at.
    private int _isMoving;

    /// <summary>Gets in line for a charge of this budget only, unless the request has given up already. It may be granted before the call returns.</summary>
    public void Join(BudgetWaiter waiter)
    {
        // Before the others see that somebody waits: otherwise they would overtake with what stripes keep for them.
        BeginRecall();
        using (_line.Hold())
        {
            if (waiter.State == WaiterState.New)
            {
                _waiters.Add(waiter);
                waiter.State = WaiterState.InLine;

                // From here on every release sees that somebody waits; what was released before, LetIn sees.
                Mark();
            }
        }

        EndRecall();
        Serve();
    }

    /// <summary>Gives the place in line up, unless the charge was granted: then it is the owner's to use or to release.</summary>
    /// <returns>True for the one call that ended the request: it wakes who waits.</returns>
    public bool TryLeave(BudgetWaiter waiter)
    {
        using (_line.Hold())
        {
            WaiterState before = waiter.State;
            if (before is WaiterState.Granted or WaiterState.Left)
            {
                return false;
            }

            waiter.State = WaiterState.Left;
            if (before == WaiterState.New)
            {
                return true;
            }

            Remove(waiter, isGranted: false);
        }

        // Those behind it may be smaller.
        LetIn();
        return true;
    }

    /// <summary>If nothing was returned since the last call, those that may not pass any more may pass again: it may be them who could return something.</summary>
    public void RenewIfStalled()
    {
        if (Interlocked.Exchange(ref _isMoving, 0) == 0)
        {
            _waiters.Renew();
            Serve();
        }
    }

    private void LetIn()
    {
        Volatile.Write(ref _isMoving, 1);
        Serve();
    }

    private void Serve()
    {
        while (TakeNextThatFits() is { } waiter)
        {
            waiter.Wake();
        }
    }

    private BudgetWaiter? TakeNextThatFits()
    {
        using (_line.Hold())
        {
            if (_waiters.Next is not { } next || !TryChargeAlone(next.Bytes, refusing: Closed))
            {
                return null;
            }

            next.State = WaiterState.Granted;
            Remove(next, isGranted: true);
            return next;
        }
    }

    private void Remove(BudgetWaiter waiter, bool isGranted)
    {
        _waiters.Remove(waiter, isGranted);
        if (_waiters.Count == 0)
        {
            Unmark();
        }
    }

    // Those who wait do not mind so little.
    private bool LetsPass(long bytes) => bytes <= SmallBytes && _waiters.LetsPass(bytes);

    private bool TryPass(long bytes, bool belowRoot)
    {
        bool isWaitedFor = false;
        for (MemoryBudget? budget = this; budget is not null && !(belowRoot && budget._isRoot); budget = budget.Next)
        {
            isWaitedFor |= budget.IsWaitedFor;
            if (budget.IsWaitedFor && !budget.LetsPass(bytes))
            {
                return false;
            }
        }

        if (!isWaitedFor || !TryChargeOnce(bytes, belowRoot, refusing: Closed, out _))
        {
            return false;
        }

        for (MemoryBudget? budget = this; budget is not null; budget = budget.Next)
        {
            budget.CountPassed(bytes);
        }

        return true;
    }

    private bool TryPassAlone(long bytes)
    {
        bool passed = IsWaitedFor && LetsPass(bytes) && TryChargeAlone(bytes, refusing: Closed);
        if (passed)
        {
            CountPassed(bytes);
        }

        return passed;
    }

    private void CountPassed(long bytes)
    {
        if (IsWaitedFor)
        {
            _waiters.CountPassed(bytes);
        }
    }

    // A recall runs as long as the bit is set: it begins before and ends after it.
    private void Mark()
    {
        if (_waiters.Count != 1)
        {
            return;
        }

        _accounts?.Recall.Begin();
        long state = Volatile.Read(ref _state);
        long seen;
        while ((seen = Interlocked.CompareExchange(ref _state, state | Waiting, state)) != state)
        {
            state = seen;
        }
    }

    private void Unmark()
    {
        long state = Volatile.Read(ref _state);
        long seen;
        while ((seen = Interlocked.CompareExchange(ref _state, state & ~Waiting, state)) != state)
        {
            state = seen;
        }

        _accounts?.Recall.End();
    }
}
