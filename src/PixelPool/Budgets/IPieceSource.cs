namespace PixelPool.Budgets;

/// <summary>
/// Free pieces of one size, of blocks that are charged already. One of them serves a request that waits for the allocator's budget, although no bytes of that become free.
/// </summary>
internal interface IPieceSource
{
    /// <summary>Counts those in line that a piece would serve. Under the lock of the line.</summary>
    void CountWaiting(int change);

    /// <summary>Hands free pieces to those who wait, as long as there are both. To be called after either came.</summary>
    void ServeWaiting();

    /// <summary>Takes a piece back that was handed over and not used.</summary>
    void TakeBack(object slab, nint address);
}
