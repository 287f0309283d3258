using System.Runtime;

namespace PixelPool.Lifetime;

/// <summary>
/// Guards that were let go are garbage of the managed heap, some hundred bytes each. Those of a burst have survived collections, so they would stay resident until the next
/// full one, which may be hours away. Whoever asks for a trim gets that memory back, too: many guards are worth a collection, few are not.
/// </summary>
internal sealed class GuardGarbage
{
    /// <summary>So many guards take about 3 MiB.</summary>
    public const int Many = 8192;

    private int _guards;
    private int _fullCollections;

    /// <summary>Whether there are many that no full collection has seen.</summary>
    public bool AreMany => Volatile.Read(ref _guards) >= Many;

    /// <summary>Guards were let go.</summary>
    public void Add(int guards)
    {
        int collections = GC.CollectionCount(GC.MaxGeneration);
        if (Interlocked.Exchange(ref _fullCollections, collections) != collections)
        {
            // Those before are gone.
            Volatile.Write(ref _guards, 0);
        }

        Interlocked.Add(ref _guards, guards);
    }

    /// <summary>Has the collector take the guards and give their memory back, if they are many. An application that asked the collector for low latency is not stopped.</summary>
    public void CollectIfMany()
    {
        if (!AreMany || GCSettings.LatencyMode > GCLatencyMode.Interactive)
        {
            return;
        }

        Volatile.Write(ref _guards, 0);
#if NET
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
#else
        GC.Collect();
#endif
    }
}
