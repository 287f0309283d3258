using PixelPool.Accounts;
using PixelPool.Lifetime;
using PixelPool.Native;

namespace PixelPool.Pooling;

/// <summary>Memory that came fresh from the system with a rent, and the pages it gets when it is touched. Only misses come here.</summary>
internal static class FreshPages
{
    /// <summary>Chooses the pages of memory that asked for huge ones. To be called after <see cref="LifetimeGuard.SetUsed"/>.</summary>
    public static void Choose(LifetimeGuard guard, BlockSource source)
    {
        if (!source.HugePagesPay)
        {
            return;
        }

        OfferHugePages(guard, source);
        if (!source.HugePagesPay)
        {
            // That was found out just now: what was not touched can still get small pages.
            PreferSmallPages(guard, source);
        }
    }

    // Those that the image uses to their end.
    private static void OfferHugePages(LifetimeGuard guard, BlockSource source)
    {
        for (int i = FirstFreshBlock(guard); i < guard.BlockCount; i++)
        {
            nint end = guard.AddressOf(i) + (nint)(i == guard.BlockCount - 1 ? guard.UsedLastBytes : guard.BlockBytes);
            nint page = (FirstFreshByte(guard, i) + (nint)BlockSource.HugePageBytes - 1) & -(nint)BlockSource.HugePageBytes;
            for (; page + (nint)BlockSource.HugePageBytes <= end && source.HugePagesPay; page += (nint)BlockSource.HugePageBytes)
            {
                source.OfferHugePage(page);
            }
        }
    }

    private static void PreferSmallPages(LifetimeGuard guard, BlockSource source)
    {
        for (int i = FirstFreshBlock(guard); i < guard.BlockCount; i++)
        {
            nint start = FirstFreshByte(guard, i);
            nint end = guard.AddressOf(i) + (nint)(i == guard.BlockCount - 1 ? guard.LastBlockBytes : guard.BlockBytes);
            source.PreferHugePages(start, end - start, preferred: false);
        }
    }

    // The fresh bytes are the last ones. Where all are, blocks may have no bytes.
    private static int FirstFreshBlock(LifetimeGuard guard) => ReusedBytes(guard) == 0 ? 0 : (int)(ReusedBytes(guard) / guard.BlockBytes);

    private static nint FirstFreshByte(LifetimeGuard guard, int block) =>
        guard.AddressOf(block) + (nint)Math.Max(0, ReusedBytes(guard) - (block * guard.BlockBytes));

    private static long ReusedBytes(LifetimeGuard guard) => guard.HeldBytes - guard.FreshBytes;

    /// <summary>The rent ends: its pages are counted.</summary>
    public static void End(LifetimeGuard guard, BlockSource source, MemoryAccounts accounts)
    {
        long fresh = guard.FreshBytes;
        guard.EndFreshness();
        nint start = 0;
        long length = 0;
        for (int i = guard.BlockCount - 1; i >= 0 && fresh > 0; i--)
        {
            long held = i == guard.BlockCount - 1 ? guard.LastBlockBytes : guard.BlockBytes;
            long measured = Math.Min(fresh, held);
            nint block = guard.AddressOf(i) + (nint)(held - measured);
            if (block + (nint)measured != start)
            {
                accounts.CountPages(source, start, length);
                length = 0;
            }

            // Fresh blocks mostly lie side by side: one look for all of them.
            start = block;
            length += measured;
            fresh -= measured;
        }

        accounts.CountPages(source, start, length);
    }
}
