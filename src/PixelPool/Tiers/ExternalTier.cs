using PixelPool.Budgets;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>No memory: bytes that somebody else holds, charged so that they share the budget. A guard holds the charge, so that it is listed, and comes back when it is forgotten.</summary>
internal sealed class ExternalTier(BlockPool pool, MemoryBudget? budget) : AllocatorTier(pool, budget)
{
    public override RentKind Kind => RentKind.ExternalCharge;

    public override string SourceOf(LifetimeGuard guard) => "External";

    /// <summary>Charges bytes.</summary>
    /// <param name="bytes">How many.</param>
    /// <param name="payer">What pays for them, if anything does.</param>
    /// <returns>Null when the budget has no room: nothing was charged.</returns>
    public LifetimeGuard? TryTake(long bytes, RentBudget? payer) => TryBeginExternal(bytes, bytes, bytes, payer);

    public override void GiveBack(LifetimeGuard guard) => EndExternal(guard, guard.HeldBytes);
}
