using System.Runtime.CompilerServices;

namespace PixelPool.FixedBlocks;

/// <summary>The heaps of one thread, one for each fixed-size heap that it has used. When the thread has ended they are abandoned: this object is finalized then.</summary>
internal sealed class ThreadHeaps
{
    private const int FirstLength = 4;

    [ThreadStatic]
    private static ThreadHeap?[]? s_heaps;

    [ThreadStatic]
    private static ThreadHeaps? s_thread;

    private ThreadHeap?[] _heaps;

    // All that it needs is there before: an object whose constructor failed would be finalized, too.
    private ThreadHeaps(ThreadHeap?[] heaps) => _heaps = heaps;

    ~ThreadHeaps()
    {
        if (_heaps is null)
        {
            return;
        }

        foreach (ThreadHeap? heap in _heaps)
        {
            heap?.Abandon();
        }
    }

    /// <summary>What this thread has in a slot. It may be the heap of a fixed-size heap that is gone.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ThreadHeap? Find(int slot)
    {
        ThreadHeap?[]? heaps = s_heaps;
        return heaps is not null && (uint)slot < (uint)heaps.Length ? heaps[slot] : null;
    }

    public static void Set(int slot, ThreadHeap heap)
    {
        ThreadHeaps thread = s_thread ??= new ThreadHeaps(new ThreadHeap?[FirstLength]);
        if (slot >= thread._heaps.Length)
        {
            Array.Resize(ref thread._heaps, Math.Max(slot + 1, 2 * thread._heaps.Length));
        }

        thread._heaps[slot] = heap;
        s_heaps = thread._heaps;
    }
}
