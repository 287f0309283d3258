using PixelPool.Budgets;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>No memory: a part of the budget that a scope reserved. A guard holds it, so that it is listed, and comes back when it is forgotten.</summary>
internal sealed class ReservationTier(BlockPool pool, MemoryBudget? budget) : AllocatorTier(pool, budget)
{
    public override RentKind Kind => RentKind.Reservation;

    // The rents that use it are told.
    public override string? SourceOf(LifetimeGuard guard) => null;

    /// <summary>The reservation that a guard holds.</summary>
    public static MemoryBudget Of(LifetimeGuard guard) => (MemoryBudget)guard.Attachment!;

    /// <summary>Reserves bytes.</summary>
    /// <param name="bytes">How many.</param>
    /// <param name="payer">What pays for them, if anything does.</param>
    /// <returns>Null when the budget has no room: nothing was reserved.</returns>
    public LifetimeGuard? TryTake(long bytes, RentBudget? payer) =>
        TryBeginExternal(bytes, heldBytes: 0, payer, attachment: new MemoryBudget(bytes, payer?.Payee, isReservation: true));

    // What is still rented of it goes back to the budget around it as it is returned. So that budget is not released here.
    public override void GiveBack(LifetimeGuard guard)
    {
        ((MemoryBudget)guard.TakeAttachment()!).Close();
        guard.TakePayee();
        Pool.ParkGuard(guard);
    }
}
