using PixelPool.Threading;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>Every living pool of the process, weakly: when memory runs out anywhere, all of them give theirs back.</summary>
internal static class PoolRegistry
{
    private static readonly UninterruptibleLock s_gate = new();
    private static readonly List<WeakReference<UniformUnmanagedMemoryPool>> s_pools = [];

    public static void Add(UniformUnmanagedMemoryPool pool)
    {
        using (s_gate.Hold())
        {
            s_pools.RemoveAll(static entry => !entry.TryGetTarget(out _));
            s_pools.Add(new WeakReference<UniformUnmanagedMemoryPool>(pool));
        }
    }

    public static void Remove(UniformUnmanagedMemoryPool pool)
    {
        using (s_gate.Hold())
        {
            s_pools.RemoveAll(entry => !entry.TryGetTarget(out UniformUnmanagedMemoryPool? other) || other == pool);
        }
    }

    /// <summary>Trims every pool to nothing. Memory is unmapped outside of the lock.</summary>
    /// <returns>Bytes given back to the system.</returns>
    public static long TrimAll(TrimReason reason)
    {
        long released = 0;
        foreach (UniformUnmanagedMemoryPool pool in Living())
        {
            released += pool.TrimTo(0, reason);
        }

        return released;
    }

    /// <summary>Every pool looks at its next rents: what is told of them may have changed.</summary>
    public static void LookAtNextRents()
    {
        foreach (UniformUnmanagedMemoryPool pool in Living())
        {
            pool.LookAtNextRents();
        }
    }

    private static IEnumerable<UniformUnmanagedMemoryPool> Living()
    {
        WeakReference<UniformUnmanagedMemoryPool>[] pools;
        using (s_gate.Hold())
        {
            pools = [.. s_pools];
        }

        foreach (WeakReference<UniformUnmanagedMemoryPool> entry in pools)
        {
            if (entry.TryGetTarget(out UniformUnmanagedMemoryPool? pool))
            {
                yield return pool;
            }
        }
    }
}
