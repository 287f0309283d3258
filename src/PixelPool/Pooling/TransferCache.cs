using PixelPool.Accounts;

namespace PixelPool.Pooling;

/// <summary>
/// Small memory on its way from threads that return more than they rent to those that rent more than they return: guards that keep it, several at a time, so that few of
/// them pay for the lock and for what the processors have to pass on.
/// </summary>
/// <remarks>
/// Only thread caches call this, and they hold their own lock: so they only try this one. To wait for it would deadlock with whoever pauses all caches.
/// </remarks>
/// <param name="accounts">What all stripes count together.</param>
internal sealed class TransferCache(MemoryAccounts accounts)
    : GuardCache(accounts, new Magazines(mostOfSize: 4 * Most, mostSmallBytes: (16 << 20) - 1, mostBlocks: 0))
{
    // So many at a time, and never more than half of what a cache keeps of a size.
    private const int Most = 4;

    /// <summary>Takes guards over from a cache that has no room for more of a size: those that were idle longest. Never waits.</summary>
    /// <param name="from">The cache.</param>
    /// <param name="size">The size.</param>
    /// <param name="bytes">How many bytes these are.</param>
    /// <returns>False when it took none.</returns>
    public bool TryTakeOver(ref Magazines from, int size, int bytes)
    {
        if (!Magazines.HasRoom(size, bytes) || !Gate.TryEnter())
        {
            return false;
        }

        int moved = from.MoveFirst(Math.Min(Most, (from.CountOf(size) + 1) / 2), size, ref Magazines);
        Gate.Exit(this);
        return moved != 0;
    }

    /// <summary>Hands guards to a cache that has none of a size. Never waits.</summary>
    /// <param name="to">The cache.</param>
    /// <param name="size">The size.</param>
    public void HandOut(ref Magazines to, int size)
    {
        if (Magazines.CountOf(size) != 0 && Gate.TryEnter())
        {
            Magazines.MoveFirst(Most, size, ref to);
            Gate.Exit(this);
        }
    }
}
