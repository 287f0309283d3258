using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <content>Those who wait: first come, first served. The lock is only taken while somebody waits.</content>
internal sealed partial class MemoryBudget
{
    private readonly UninterruptibleLock _line = new();
    private readonly LinkedList<BudgetWaiter> _waiters = new();

    /// <summary>Gets in line for a charge of this budget only, unless the request has given up already. It may be granted before the call returns.</summary>
    public void Join(BudgetWaiter waiter)
    {
        // Before the others see that somebody waits: otherwise they would overtake with what stripes keep for them.
        BeginRecall();
        using (_line.Hold())
        {
            if (waiter.State == WaiterState.New)
            {
                _waiters.AddLast(waiter.Place);
                waiter.State = WaiterState.InLine;

                // From here on every release sees that somebody waits; what was released before, LetIn sees.
                Mark();
            }
        }

        EndRecall();
        LetIn();
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

            Remove(waiter);
        }

        // Those behind it may be smaller.
        LetIn();
        return true;
    }

    private void LetIn()
    {
        while (TakeFirstThatFits() is { } waiter)
        {
            waiter.Wake();
        }
    }

    private BudgetWaiter? TakeFirstThatFits()
    {
        using (_line.Hold())
        {
            if (_waiters.First?.Value is not { } first || !TryChargeAlone(first.Bytes, refusing: Closed))
            {
                return null;
            }

            first.State = WaiterState.Granted;
            Remove(first);
            return first;
        }
    }

    private void Remove(BudgetWaiter waiter)
    {
        _waiters.Remove(waiter.Place);
        if (_waiters.Count == 0)
        {
            Unmark();
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
