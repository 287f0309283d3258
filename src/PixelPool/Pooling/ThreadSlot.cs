using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PixelPool.Pooling;

/// <summary>One cache of a thread, held weakly: a thread keeps no pool alive.</summary>
/// <param name="key">Names the pool.</param>
/// <param name="cache">The cache.</param>
internal sealed class ThreadSlot(object key, ThreadCache cache)
{
    private readonly GCHandle _cache = GCHandle.Alloc(cache, GCHandleType.Weak);

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
}
