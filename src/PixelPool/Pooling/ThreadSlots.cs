using System.Runtime.CompilerServices;

namespace PixelPool.Pooling;

/// <summary>The caches of a thread, one for each pool. Nothing but the thread leads here: when it has ended, the collector finds this, and what the caches keep goes back.</summary>
internal sealed class ThreadSlots
{
    // In more pools a thread has no cache.
    private const int Most = 4;

    [ThreadStatic]
    private static ThreadSlots? s_ofThread;

    // That of the pool which the thread used last.
    [ThreadStatic]
    private static ThreadSlot? s_last;

    private readonly ThreadSlot?[] _slots = new ThreadSlot?[Most];

    ~ThreadSlots()
    {
        // Also runs when the constructor failed.
        if (_slots is null)
        {
            return;
        }

        foreach (ThreadSlot? slot in _slots)
        {
            slot?.Cache?.Retire();
            slot?.End();
        }
    }

    /// <summary>The cache of the calling thread in a pool, if there is one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ThreadCache? Find(object key)
    {
        ThreadSlot? last = s_last;
        return last is null ? null : last.Names(key) ? last.Cache : FindOther(key);
    }

    /// <summary>Whether the calling thread may have a cache in one more pool.</summary>
    public static bool HasRoom() => s_ofThread is not { } slots || slots.FindUnused() >= 0;

    /// <summary>Remembers a cache for the calling thread, after <see cref="HasRoom"/>.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for that: it is not remembered.</exception>
    public static void Add(object key, ThreadCache cache)
    {
        ThreadSlots slots = s_ofThread ??= new ThreadSlots();
        ref ThreadSlot? place = ref slots._slots[slots.FindUnused()];
        ThreadSlot? before = place;
        s_last = place = new ThreadSlot(key, cache);
        before?.End();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ThreadCache? FindOther(object key)
    {
        foreach (ThreadSlot? slot in s_ofThread!._slots)
        {
            if (slot is not null && slot.Names(key))
            {
                s_last = slot;
                return slot.Cache;
            }
        }

        return null;
    }

    // No lambda: its object would be made here, and a return may come here when there is no memory for it.
    private int FindUnused()
    {
        for (int i = 0; i < _slots.Length; i++)
        {
            if (_slots[i]?.Cache is not { IsRetired: false })
            {
                return i;
            }
        }

        return -1;
    }
}
