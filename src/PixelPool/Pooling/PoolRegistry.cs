using PixelPool.Accounts;
using PixelPool.Threading;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>Every living pool of the process, weakly: when memory runs out anywhere, all of them give theirs back.</summary>
internal static class PoolRegistry
{
    private static readonly WeakSet<ITrimmable> s_pools = new();

    public static void Add(ITrimmable pool) => s_pools.Add(pool);

    public static void Remove(ITrimmable pool) => s_pools.Remove(pool);

    /// <summary>Trims every pool to nothing. No lock is held meanwhile.</summary>
    /// <returns>Bytes given back to the system.</returns>
    public static long TrimAll(TrimReason reason)
    {
        long released = 0;
        foreach (ITrimmable pool in s_pools.ToList())
        {
            released += pool.TrimTo(0, reason);
        }

        return released;
    }
}
