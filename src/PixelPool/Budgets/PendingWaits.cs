using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>The requests that wait in an allocator: they end when it is disposed, or the scope that asks.</summary>
/// <param name="owner">The type that exceptions name when it is the allocator.</param>
internal sealed class PendingWaits(string owner)
{
    private readonly UninterruptibleLock _gate = new();
    private readonly LinkedList<BudgetWait> _waits = new();
    private bool _closed;

    /// <summary>Lets a request in; one that comes too late is ended at once.</summary>
    public void Enter(LinkedListNode<BudgetWait> place)
    {
        using (_gate.Hold())
        {
            _waits.AddLast(place);
            EndIfDisposed(place.Value);
        }
    }

    public void Leave(LinkedListNode<BudgetWait> place)
    {
        using (_gate.Hold())
        {
            _waits.Remove(place);
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
        Volatile.Write(ref _closed, true);
        EndThoseOfDisposed();
    }

    /// <summary>Ends those whose scope was disposed.</summary>
    public void EndThoseOfDisposed()
    {
        using (_gate.Hold())
        {
            foreach (BudgetWait wait in _waits)
            {
                EndIfDisposed(wait);
            }
        }
    }

    private void EndIfDisposed(BudgetWait wait)
    {
        if ((_closed ? owner : wait.Caller.DisposedType) is { } disposed)
        {
            wait.End(WaitOutcome.Disposed, disposed);
        }
    }
}
