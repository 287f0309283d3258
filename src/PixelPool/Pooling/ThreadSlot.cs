using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PixelPool.Pooling;

/// <summary>
/// The cache of a thread in one pool, held weakly: a thread keeps no pool alive. Nothing but the thread leads here: when it has ended, the collector finds this, and what the cache keeps goes back.
/// </summary>
/// <param name="key">Names the pool.</param>
/// <param name="cache">The cache.</param>
internal sealed class ThreadSlot(object key, ThreadCache cache)
{
    // In more pools a thread has no cache.
    private const int Most = 4;

    [ThreadStatic]
    private static ThreadSlot?[]? s_ofThread;

    // That of the pool which the thread used last.
    [ThreadStatic]
    private static ThreadSlot? s_last;

    private readonly GCHandle _cache = GCHandle.Alloc(cache, GCHandleType.Weak);

    ~ThreadSlot()
    {
        // Also runs when the constructor failed.
        if (_cache.IsAllocated)
        {
            Cache?.Retire();
            _cache.Free();
        }
    }

    // Null when its pool is gone.
    private ThreadCache? Cache
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Unsafe.As<ThreadCache>(_cache.Target);
    }

    /// <summary>The cache of the calling thread in a pool, if there is one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ThreadCache? Find(object key)
    {
        ThreadSlot? last = s_last;
        return last is null ? null : last.Names(key) ? last.Cache : FindOther(key);
    }

    /// <summary>Whether the calling thread may have a cache in one more pool.</summary>
    public static bool HasRoom() => s_ofThread is not { } slots || Array.Exists(slots, IsUnused);

    /// <summary>Remembers a cache for the calling thread, after <see cref="HasRoom"/>.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for that: it is not remembered.</exception>
    public static void Add(object key, ThreadCache cache)
    {
        ThreadSlot?[] slots = s_ofThread ??= new ThreadSlot?[Most];
        s_last = slots[Array.FindIndex(slots, IsUnused)] = new ThreadSlot(key, cache);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Names(object pool) => ReferenceEquals(key, pool);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ThreadCache? FindOther(object key)
    {
        foreach (ThreadSlot? slot in s_ofThread!)
        {
            if (slot is not null && slot.Names(key))
            {
                s_last = slot;
                return slot.Cache;
            }
        }

        return null;
    }

    // A method, not a lambda: a return may come here when there is no memory for what makes that, and it would fail for good.
    private static bool IsUnused(ThreadSlot? slot) => slot?.Cache is not { IsRetired: false };
}
