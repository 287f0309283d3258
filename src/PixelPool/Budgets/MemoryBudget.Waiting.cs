namespace PixelPool.Budgets;

/// <content>Those who wait: first come, first served. The lock is only taken while somebody waits.</content>
internal sealed partial class MemoryBudget
{
    private readonly LinkedList<BudgetWaiter> _waiters = new();

    /// <summary>Gets in line for a charge of this budget only. It may be granted before the call returns.</summary>
    public BudgetWaiter Join(long bytes)
    {
        var waiter = new BudgetWaiter(bytes);
        lock (_waiters)
        {
            _waiters.AddLast(waiter.Place);

            // From here on every release sees that somebody waits; what was released before, LetIn sees.
            Mark();
        }

        LetIn();
        return waiter;
    }

    /// <summary>Gives the place in line up.</summary>
    /// <returns>False when the charge was granted: it is the caller's to use or to release.</returns>
    public bool TryLeave(BudgetWaiter waiter)
    {
        lock (_waiters)
        {
            if (waiter.Place.List is null)
            {
                return false;
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
            waiter.TrySetResult(true);
        }
    }

    private BudgetWaiter? TakeFirstThatFits()
    {
        lock (_waiters)
        {
            if (_waiters.First?.Value is not { } first || !TryCharge(first.Bytes, refusing: Closed))
            {
                return null;
            }

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

    private void Mark() => Change(static state => state | Waiting);

    private void Unmark() => Change(static state => state & ~Waiting);

    private void Change(Func<long, long> change)
    {
        long state = Volatile.Read(ref _state);
        long seen;
        while ((seen = Interlocked.CompareExchange(ref _state, change(state), state)) != state)
        {
            state = seen;
        }
    }
}
