using PixelPool.Lifetime;

namespace PixelPool.Tiers;

/// <summary>A scope's hold on its reservation. The scope owns it first, so it ends last: what is rented then was returned to the reservation before.</summary>
/// <param name="guard">Holds the reservation, and ends it if the scope is forgotten.</param>
internal sealed class ReservationHold(LifetimeGuard guard) : IRentHandle
{
    private readonly uint _version = guard.Version;

    public bool IsDisposed => !guard.IsCurrent(_version, LifetimeGuard.Owner);

    public void AddGuards(HashSet<object> guards) => guards.Add(guard);

    public void Dispose() => guard.TryReleaseOwner(_version);
}
