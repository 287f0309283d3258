using System.Runtime.InteropServices;
using PixelPool.Pooling;

namespace PixelPool.Lifetime;

/// <summary>
/// All guards of a pool, parked or rented, weakly: so that what is rented can be listed. Guards are made and let go rarely; a rent does not come here.
/// </summary>
/// <remarks>
/// It owns the handles that guards look at to learn whether they are reachable: a handle is freed under its lock only, because a listing reads all of them.
/// </remarks>
internal sealed class GuardRegistry
{
#pragma warning disable IDE0044 // a lock that is a word is changed in place
    private StripeLock _gate = new();
#pragma warning restore IDE0044
    private GuardEntry? _first;
    private int _count;

    /// <summary>Makes the handle of a guard.</summary>
    public GCHandle Add(LifetimeGuard guard, GuardEntry entry)
    {
        _gate.Enter();
        try
        {
            entry.Handle = GCHandle.Alloc(guard, GCHandleType.Weak);
            entry.Next = _first;
            if (_first is not null)
            {
                _first.Previous = entry;
            }

            _first = entry;
            _count++;
            return entry.Handle;
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Frees the handle of a guard.</summary>
    public void Remove(GuardEntry entry)
    {
        _gate.Enter();
        try
        {
            if (!entry.Handle.IsAllocated)
            {
                return;
            }

            entry.Handle.Free();
            if (entry.Next is not null)
            {
                entry.Next.Previous = entry.Previous;
            }

            if (entry.Previous is not null)
            {
                entry.Previous.Next = entry.Next;
            }
            else
            {
                _first = entry.Next;
            }

            entry.Previous = entry.Next = null;
            _count--;
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Every guard that the collector has not found unreachable. The caller keeps them no longer than it needs them.</summary>
    public List<LifetimeGuard> Reachable()
    {
        // With room for those that are made meanwhile: the list should not grow under the lock.
        var guards = new List<LifetimeGuard>(Volatile.Read(ref _count) + 16);
        _gate.Enter();
        try
        {
            for (GuardEntry? entry = _first; entry is not null; entry = entry.Next)
            {
                if (entry.Handle.Target is LifetimeGuard guard)
                {
                    guards.Add(guard);
                }
            }
        }
        finally
        {
            _gate.Exit();
        }

        return guards;
    }
}
