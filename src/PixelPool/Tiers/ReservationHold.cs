using PixelPool.Lifetime;

namespace PixelPool.Tiers;

/// <summary>A scope's hold on its reservation. The scope owns it first, so it ends last: what is rented then was returned to the reservation before.</summary>
/// <param name="guard">Holds the reservation, and ends it if the scope is forgotten.</param>
internal sealed class ReservationHold(LifetimeGuard guard) : IRentHandle
{
    private readonly uint _version = guard.Version;

    // Null once it has ended: whoever keeps the scope keeps no later rent of the guard from being found forgotten.
    private LifetimeGuard? _guard = guard;

    public bool IsDisposed => Volatile.Read(ref _guard) is not { } guard || !guard.IsCurrent(_version, LifetimeGuard.Owner);

    public void AddGuards(HashSet<object> guards)
    {
        if (_guard is { } guard)
        {
            guards.Add(guard);
        }
    }

    public void Dispose()
    {
        if (_guard is { } guard)
        {
            _guard = null;
            guard.TryReleaseOwner(_version);
        }
    }
}
