namespace PixelPool.Accounts;

/// <summary>
/// Bytes that a stripe keeps charged to the allocator's budget when they are returned, so that the next rents of as many need not charge it. Guarded by the lock
/// of the stripe.
/// </summary>
/// <remarks>
/// Invariant: the bytes that the budget has charged are those of everything that is held, and the credit of all stripes. A block that is idle is held all the same,
/// and an array that went back to its pool is not: so credit of one kind never pays for the other, and neither changes what is held.
/// </remarks>
internal struct StripeCredit
{
    /// <summary>Of pooled blocks.</summary>
    public long Blocks;

    /// <summary>Of memory beside blocks: arrays.</summary>
    public long BesideBlocks;

    /// <summary>Both together.</summary>
    public readonly long Bytes => Blocks + BesideBlocks;
}
