using System.Runtime.InteropServices;
using PixelPool.Threading;

namespace PixelPool.Lifetime;

/// <summary>
/// All guards of a pool, parked or rented, weakly: so that what is rented can be listed. Guards are made and let go rarely; a rent does not come here.
/// </summary>
/// <remarks>
/// It owns the handles that guards look at to learn whether they are reachable: a handle is freed under its lock only, because a listing reads all of them.
/// </remarks>
internal sealed class GuardRegistry
{
#pragma warning disable IDE0044, CS0649 // a lock that is a word is changed in place
    private StripeLock _gate;
#pragma warning restore IDE0044, CS0649
    private GuardEntry? _first;
    private int _count;

    /// <summary>How many guards there are, parked or rented.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Makes the handle of a guard.</summary>
    public GCHandle Add(LifetimeGuard guard, GuardEntry entry)
    {
        _gate.Enter(this);
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
            _gate.Exit(this);
        }
    }

    /// <summary>Lets the handle of a guard say again that it is reachable. Needs no memory.</summary>
    public void Revive(LifetimeGuard guard, GuardEntry entry)
    {
        _gate.Enter(this);
        try
        {
            if (entry.Handle.IsAllocated)
            {
                entry.Handle.Target = guard;
            }
        }
        finally
        {
            _gate.Exit(this);
        }
    }

    /// <summary>Frees the handle of a guard.</summary>
    public void Remove(GuardEntry entry)
    {
        _gate.Enter(this);
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
            _gate.Exit(this);
        }
    }

    /// <summary>Every guard that the collector has not found unreachable. The caller keeps them no longer than it needs them.</summary>
    public List<LifetimeGuard> Reachable()
    {
        // With room for those that are made meanwhile: the list should not grow under the lock.
        var guards = new List<LifetimeGuard>(Volatile.Read(ref _count) + 16);
        _gate.Enter(this);
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
            _gate.Exit(this);
        }

        return guards;
    }
}
