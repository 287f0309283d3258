namespace PixelPool.Threading;

/// <summary>A memory barrier on every processor that runs a thread of this process, so that threads which are asked rarely need none of their own.</summary>
internal static class ProcessBarrier
{
#if NET
    /// <summary>Whether there is one.</summary>
    public const bool IsSupported = true;

    /// <summary>When it returns, every other thread has passed a full barrier: its stores before are seen here, and its loads after see what was stored here before.</summary>
    public static void Issue() => Interlocked.MemoryBarrierProcessWide();
#else
    /// <summary>Whether there is one.</summary>
    public static bool IsSupported => false;

    /// <summary>A barrier of this thread only: others have to pass their own.</summary>
    public static void Issue() => Interlocked.MemoryBarrier();
#endif
}
