using System.Runtime.InteropServices;
using PixelPool.Lifetime;
using PixelPool.Tiers;

namespace PixelPool;

/// <summary>What a scope remembers of a lease: the rent itself, as the lease is no object.</summary>
[StructLayout(LayoutKind.Auto)]
internal readonly struct ScopeLease(LifetimeGuard guard, uint version) : IRentHandle
{
    /// <summary>Whether it was returned already.</summary>
    public bool IsDisposed => !guard.IsCurrent(version, LifetimeGuard.Owner);

    /// <summary>Returns it, unless that was done.</summary>
    public void AddGuards(HashSet<object> guards) => guards.Add(guard);

    public void Dispose() => MemoryReturn.TryEnd(guard, version);
}
