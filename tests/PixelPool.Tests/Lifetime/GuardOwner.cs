using System.Collections.Concurrent;
using PixelPool.Lifetime;

namespace PixelPool.Tests.Lifetime;

/// <summary>Releases a bare guard in its finalizer and looks whether the pool would use it again.</summary>
internal sealed class GuardOwner(UniformUnmanagedMemoryPool pool, ConcurrentQueue<string> log)
{
    private LifetimeGuard? _guard;
    private uint _version;

    ~GuardOwner()
    {
        LifetimeGuard guard = _guard!;
        bool pending = guard.IsFinalizationPending;
        if (!guard.TryRelease(_version))
        {
            log.Enqueue("was finalized before");
            return;
        }

        bool parked = false;
        var others = new List<LifetimeGuard>();
        for (int i = 0; i < 20; i++)
        {
            LifetimeGuard taken = pool.Blocks.TakeGuard();
            others.Add(taken);
            parked |= taken == guard;
        }

        foreach (LifetimeGuard other in others)
        {
            pool.Blocks.ParkGuard(other);
        }

        log.Enqueue(pending ? parked ? "was due, and parked" : "was due, and dropped" : "was not due");
    }

    public void Hold(LifetimeGuard guard)
    {
        _guard = guard;
        _version = guard.Version;
    }
}
