namespace PixelPool.Budgets;

/// <summary>What pays for a rent: a budget, or the grant that a request got by waiting for one.</summary>
internal abstract class RentBudget
{
    /// <summary>Where the bytes go when the rent ends.</summary>
    public abstract MemoryBudget Payee { get; }

    /// <summary>Charges the bytes to every budget that the rent counts against, or to none.</summary>
    /// <param name="bytes">Bytes that will really be held.</param>
    /// <param name="belowRoot">Leaves the allocator's own budget out: it is charged otherwise, by the block that a slab cuts.</param>
    /// <returns>False when they do not fit, or others wait for that room: nothing was charged.</returns>
    public abstract bool TryCharge(long bytes, bool belowRoot = false);

    /// <summary>Takes the piece that pays for the rent instead of the allocator's own budget, if there is one: once.</summary>
    public virtual (object Slab, nint Address)? TakePiece() => null;

    /// <summary>Takes a charge back, everywhere.</summary>
    public abstract void Release(long bytes, bool belowRoot = false);
}
