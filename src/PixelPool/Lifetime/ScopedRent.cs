namespace PixelPool.Lifetime;

/// <summary>
/// The rent of a lease, for the scope that returns it. When the rent ends its guard is no longer reached from here: a scope that stays open would keep the next rent of the guard from
/// being found forgotten.
/// </summary>
/// <remarks>Each guard has its own, which serves one rent after the other as long as no two open scopes know it.</remarks>
/// <param name="scope">The scope, as it is known here: to the scope itself it must not lead.</param>
internal sealed class ScopedRent(RentPayer scope)
{
    public RentPayer Scope { get; set; } = scope;

    /// <summary>The guard while a rent runs that belongs to the scope; null otherwise.</summary>
    public volatile LifetimeGuard? Guard;
}
