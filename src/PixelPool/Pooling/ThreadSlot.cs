using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PixelPool.Pooling;

/// <summary>One cache of the calling thread, held weakly: a thread keeps no pool alive.</summary>
/// <param name="key">Names the pool.</param>
/// <param name="cache">The cache.</param>
internal sealed class ThreadSlot(object key, ThreadCache cache)
{
    /// <summary>That of the pool which the thread used last, and from there on the others.</summary>
    [ThreadStatic]
    private static ThreadSlot? s_first;

    // So many rents without a cache are many: as for returns.
    private const int Often = 64;

    [ThreadStatic]
    private static int s_misses;

    private readonly GCHandle _cache = GCHandle.Alloc(cache, GCHandleType.Weak);
    private ThreadSlot? _next;

    /// <summary>The cache of the calling thread in a pool, if there is one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ThreadCache? Find(object key)
    {
        ThreadSlot? first = s_first;
        return first is null ? null : first.Names(key) ? first.Cache : FindOther(first, key);
    }

    /// <summary>Counts a rent of the calling thread for which it had no cache.</summary>
    /// <returns>True for one in many.</returns>
    public static bool IsOftenMissed() => ++s_misses % Often == 0;

    /// <summary>Puts a slot of the calling thread first.</summary>
    public static void Add(ThreadSlot slot)
    {
        slot._next = s_first;
        s_first = slot;
    }

    /// <summary>Takes a slot out of those of the calling thread.</summary>
    public static void Remove(ThreadSlot slot)
    {
        if (s_first == slot)
        {
            s_first = slot._next;
            return;
        }

        for (ThreadSlot? before = s_first; before is not null; before = before._next)
        {
            if (before._next == slot)
            {
                before._next = slot._next;
                return;
            }
        }
    }

    /// <summary>The cache, while its pool lives.</summary>
    public ThreadCache? Cache
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Unsafe.As<ThreadCache>(_cache.Target);
    }

    /// <summary>Whether it is that of the pool.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Names(object pool) => ReferenceEquals(key, pool);

    /// <summary>Frees the handle. To be called once, when no thread uses the slot.</summary>
    public void End() => _cache.Free();

    // The one that is found comes first from now on.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ThreadCache? FindOther(ThreadSlot first, object key)
    {
        ThreadSlot before = first;
        for (ThreadSlot? slot = first._next; slot is not null; before = slot, slot = slot._next)
        {
            if (slot.Names(key))
            {
                before._next = slot._next;
                slot._next = first;
                s_first = slot;
                return slot.Cache;
            }
        }

        return null;
    }
}
