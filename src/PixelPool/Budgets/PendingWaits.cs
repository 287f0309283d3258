using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>The requests that wait in an allocator, or in a scope: they end when it is disposed.</summary>
/// <param name="owner">The type that exceptions name.</param>
internal sealed class PendingWaits(string owner)
{
    private readonly UninterruptibleLock _gate = new();
    private readonly LinkedList<BudgetWait> _waits = new();
    private bool _closed;

    /// <summary>The room of something that is disposed.</summary>
    /// <param name="owner">The type that exceptions name.</param>
    public static PendingWaits Closed(string owner) => new(owner) { _closed = true };

    /// <summary>Lets a request in; one that comes too late is ended at once.</summary>
    public void Enter(LinkedListNode<BudgetWait> place)
    {
        using (_gate.Hold())
        {
            if (!_closed)
            {
                _waits.AddLast(place);
                return;
            }
        }

        place.Value.End(WaitOutcome.Disposed, owner);
    }

    public void Leave(LinkedListNode<BudgetWait> place)
    {
        using (_gate.Hold())
        {
            if (place.List is not null)
            {
                _waits.Remove(place);
            }
        }
    }

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
    public List<BudgetWait> ToList()
    {
        using (_gate.Hold())
        {
            return [.. _waits];
        }
    }

    /// <summary>Ends every request, now and later. Idempotent.</summary>
    public void Close()
    {
        while (TakeNext() is { } wait)
        {
            wait.End(WaitOutcome.Disposed, owner);
        }
    }

    private BudgetWait? TakeNext()
    {
        using (_gate.Hold())
        {
            _closed = true;
            BudgetWait? next = _waits.First?.Value;
            if (next is not null)
            {
                _waits.RemoveFirst();
            }

            return next;
        }
    }
}
