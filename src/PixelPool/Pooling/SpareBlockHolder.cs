using PixelPool.Accounts;
using PixelPool.Native;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>
/// A stripe of a tier that may keep one block ready for its next rents, outside of the depot. The block is idle, and is trimmed as the blocks of the depot are.
/// </summary>
/// <param name="accounts">What all stripes count together.</param>
internal abstract class SpareBlockHolder(MemoryAccounts accounts) : AccountStripe(accounts)
{
    /// <summary>Whether a block is kept.</summary>
    public abstract bool HasSpare { get; }

    /// <summary>Takes the block that is kept.</summary>
    /// <returns>False when none is kept.</returns>
    public abstract bool TryTakeSpare(out nint block);

    /// <summary>Ends a period: takes the block that is kept if the policy gives it back now.</summary>
    /// <returns>False when none is kept, or it stays.</returns>
    public abstract bool TryEndPeriod(TrimPolicy policy, out nint block);

    /// <summary>Lets pages go in which nothing is in use, of blocks in which something is. What is counted does not change: blocks are.</summary>
    public abstract void DiscardFreePages(BlockSource source);
}
