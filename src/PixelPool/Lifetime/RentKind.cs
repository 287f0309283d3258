namespace PixelPool.Diagnostics;

/// <summary>The kind of what is held.</summary>
public enum RentKind
{
    /// <summary>Memory: an image, a lease, or an owner.</summary>
    Memory,

    /// <summary>A charge for memory that other code holds: <see cref="PixelAllocator.ChargeExternal"/>.</summary>
    ExternalCharge,

    /// <summary>
    /// A reserved part of the budget: <see cref="PixelAllocator.ReserveScope"/>. What is rented of it is listed, too. It ends with its scope, even if a rent of
    /// it is held longer.
    /// </summary>
    Reservation,
}
