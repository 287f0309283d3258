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
            if (DisposedTypeOf(place.Value) is null)
            {
                _waits.AddLast(place);
                return;
            }
        }

        End(place.Value);
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
        Volatile.Write(ref _closed, true);
        EndThoseOfDisposed();
    }

    /// <summary>Ends those whose scope was disposed.</summary>
    public void EndThoseOfDisposed()
    {
        while (TakeDisposed() is { } wait)
        {
            End(wait);
        }
    }

    private BudgetWait? TakeDisposed()
    {
        using (_gate.Hold())
        {
            for (LinkedListNode<BudgetWait>? place = _waits.First; place is not null; place = place.Next)
            {
                if (DisposedTypeOf(place.Value) is not null)
                {
                    _waits.Remove(place);
                    return place.Value;
                }
            }

            return null;
        }
    }

    // Without the lock: it wakes others.
    private void End(BudgetWait wait) => wait.End(WaitOutcome.Disposed, DisposedTypeOf(wait));

    private string? DisposedTypeOf(BudgetWait wait) => Volatile.Read(ref _closed) ? owner : wait.Caller.DisposedType;
}
