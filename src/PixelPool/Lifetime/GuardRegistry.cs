using System.Runtime.CompilerServices;
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
    private static int s_lastNumber;

    private readonly UninterruptibleLock _gate = new();
    private GuardEntry? _first;
    private int _count;
    private volatile bool _isClosed;

    /// <summary>Names the registry, and so the allocator, in what native code is given.</summary>
    public int Number { get; } = Interlocked.Increment(ref s_lastNumber);

    public MemoryAccounts Accounts => accounts;

    public IRentListener Listener => listener;

    public bool ClearsOnReturn => clearsOnReturn;

    /// <summary>What the rents of these guards are asked of; null for a pool that is used alone. An object, because it lies above.</summary>
    public object? Requests { get; set; }

    /// <summary>True when no guard is used again.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>How many guards there are, parked or rented.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>From now on guards are not used again.</summary>
    public void Close() => _isClosed = true;

    /// <summary>Makes the handle of a guard.</summary>
    public GCHandle Add(LifetimeGuard guard, GuardEntry entry)
    {
        using (_gate.Hold())
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
    }

    /// <summary>Frees the handle of a guard.</summary>
    public void Remove(GuardEntry entry)
    {
        using (_gate.Hold())
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
    }

    /// <summary>Something was returned a second time: nothing was done, but it is counted and told.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void TellSecondReturn()
    {
        accounts.CountSecondReturn();
        listener.OnSecondReturn();
    }

    /// <summary>Every guard that the collector has not found unreachable. The caller keeps them no longer than it needs them.</summary>
    public List<LifetimeGuard> Reachable()
    {
        // With room for those that are made meanwhile: the list should not grow under the lock.
        var guards = new List<LifetimeGuard>(Volatile.Read(ref _count) + 16);
        using (_gate.Hold())
        {
            for (GuardEntry? entry = _first; entry is not null; entry = entry.Next)
            {
                if (entry.Handle.Target is LifetimeGuard guard)
                {
                    guards.Add(guard);
                }
            }
        }

        return guards;
    }
}
