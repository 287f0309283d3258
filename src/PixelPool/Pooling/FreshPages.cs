using PixelPool.Accounts;
using PixelPool.Lifetime;
using PixelPool.Native;

namespace PixelPool.Pooling;

/// <summary>Memory that came fresh from the system with a rent, and the pages it gets when it is touched. Only misses come here.</summary>
internal static class FreshPages
{
    /// <summary>
    /// Offers the huge pages that the image uses to their end. Once they turn out to be slow, the blocks that are left get small pages. To be called after
    /// <see cref="LifetimeGuard.SetUsed"/>.
    /// </summary>
    public static void Choose(LifetimeGuard guard, BlockSource source)
    {
        // The fresh bytes are the last ones. Where all are, blocks may have no bytes.
        long reused = guard.ReusedBytes;
        for (int i = reused == 0 ? 0 : (int)(reused / guard.BlockBytes); i < guard.BlockCount; i++)
        {
            bool isLast = i == guard.BlockCount - 1;
            nint block = guard.AddressOf(i);
            nint start = block + (nint)Math.Max(0, reused - (i * guard.BlockBytes));
            nint usedEnd = block + (nint)(isLast ? guard.UsedLastBytes : guard.BlockBytes);
            source.OfferHugePages(start, usedEnd, block + (nint)(isLast ? guard.LastBlockBytes : guard.BlockBytes));
        }
    }

    /// <summary>The rent ends: its pages are counted.</summary>
    public static void End(LifetimeGuard guard, BlockSource source, MemoryAccounts accounts)
    {
        long fresh = guard.FreshBytes;
        guard.SetFresh(0);
        for (int i = guard.BlockCount - 1; i >= 0 && fresh > 0; i--)
        {
            long held = i == guard.BlockCount - 1 ? guard.LastBlockBytes : guard.BlockBytes;
            long measured = Math.Min(fresh, held);
            accounts.CountPages(source, guard.AddressOf(i) + (nint)(held - measured), measured);
            fresh -= measured;
        }
    }
}
