namespace PixelPool.Pooling;

/// <summary>All slots of a thread. Nothing but the thread leads here: when it has ended, the collector finds this, and what the thread's caches keep goes back.</summary>
internal sealed class ThreadSlots
{
    // In more pools a thread has no cache.
    private const int Most = 4;

    [ThreadStatic]
    private static ThreadSlots? s_ofThread;

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

    /// <summary>Whether the calling thread may have a cache in one more pool.</summary>
    public static bool HasRoom() => s_ofThread is not { } slots || slots.FindUnused() >= 0;

    /// <summary>Remembers a cache for the calling thread, after <see cref="HasRoom"/>.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for that: it is not remembered.</exception>
    public static void Add(object key, ThreadCache cache)
    {
        ThreadSlots slots = s_ofThread ??= new ThreadSlots();
        int place = slots.FindUnused();
        var slot = new ThreadSlot(key, cache);
        if (slots._slots[place] is { } before)
        {
            ThreadSlot.Remove(before);
            before.End();
        }

        slots._slots[place] = slot;
        ThreadSlot.Add(slot);
    }

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
