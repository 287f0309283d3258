using System.Runtime.InteropServices;
using PixelPool.Accounts;
using PixelPool.Threading;

namespace PixelPool.Lifetime;

/// <summary>
/// All guards of a pool, parked or rented, weakly: so that what is rented can be listed. Guards are made and let go rarely; a rent does not come here.
/// </summary>
/// <remarks>
/// It owns the handles that guards look at to learn whether they are reachable: a handle is freed under its lock only, because a listing reads all of them.
/// </remarks>
/// <param name="accounts">Where guards count what was forgotten.</param>
/// <param name="listener">Hears of the rents of all guards.</param>
/// <param name="clearsOnReturn">Whether guards clear what they give back.</param>
internal sealed class GuardRegistry(MemoryAccounts accounts, IRentListener listener, bool clearsOnReturn = false)
{
    private readonly UninterruptibleLock _gate = new();

    // Short weak handles. Each guard brings its place along: nothing is allocated to add or to remove one.
    private readonly LinkedList<GCHandle> _guards = new();

    public readonly MemoryAccounts Accounts = accounts;

    public readonly IRentListener Listener = listener;

    public readonly bool ClearsOnReturn = clearsOnReturn;

    /// <summary>What the rents of these guards are asked of; null for a pool that is used alone. An object, because it lies above.</summary>
    public object? Requests;

    /// <summary>How many guards there are, parked or rented.</summary>
    public int Count => _guards.Count;

    /// <summary>Makes the handle of a guard.</summary>
    public GCHandle Add(LifetimeGuard guard, LinkedListNode<GCHandle> place)
    {
        using (_gate.Hold())
        {
            place.Value = GCHandle.Alloc(guard, GCHandleType.Weak);
            _guards.AddFirst(place);
            return place.Value;
        }
    }

    /// <summary>Frees the handle of a guard, once.</summary>
    public void Remove(LinkedListNode<GCHandle> place)
    {
        using (_gate.Hold())
        {
            if (place.List is not null)
            {
                _guards.Remove(place);
                place.Value.Free();
            }
        }
    }

    /// <summary>Every guard that the collector has not found unreachable. The caller keeps them no longer than it needs them.</summary>
    public List<LifetimeGuard> Reachable()
    {
        // With room for those that are made meanwhile: the list should not grow under the lock.
        var guards = new List<LifetimeGuard>(Count + 16);
        using (_gate.Hold())
        {
            foreach (GCHandle handle in _guards)
            {
                if (handle.Target is LifetimeGuard guard)
                {
                    guards.Add(guard);
                }
            }
        }

        return guards;
    }
}
