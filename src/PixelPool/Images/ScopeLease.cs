using PixelPool.Lifetime;
using PixelPool.Tiers;

namespace PixelPool;

/// <summary>What a scope remembers of a lease: the rent itself, as the lease is no object.</summary>
internal readonly struct ScopeLease(ScopedRent rent, uint version) : IRentHandle
{
    /// <summary>Whether it was returned already.</summary>
    public bool IsDisposed => rent.Guard is not { } guard || !guard.IsCurrent(version, LifetimeGuard.Owner);

    /// <summary>Returns it, unless that was done.</summary>
    public void Dispose()
    {
        if (rent.Guard is { } guard)
        {
            MemoryReturn.TryEnd(guard, version);
        }
    }
}
