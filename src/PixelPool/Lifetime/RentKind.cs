namespace PixelPool.Diagnostics;

/// <summary>What somebody holds.</summary>
public enum RentKind
{
    /// <summary>Memory: an image, a lease, or an owner.</summary>
    Memory,

    /// <summary>A charge for memory that others hold: <see cref="PixelAllocator.ChargeExternal"/>. PixelPool only knows its bytes.</summary>
    ExternalCharge,

    /// <summary>
    /// A reserved part of the budget: <see cref="PixelAllocator.ReserveScope"/>. What is rented of it is in the list, too. It ends with its scope, also when
    /// something rented of it is held longer.
    /// </summary>
    Reservation,
}
