using PixelPool.Accounts;
using PixelPool.Lifetime;
using PixelPool.Native;

namespace PixelPool.Pooling;

/// <summary>Memory that came fresh from the system with a rent, and the pages it gets when it is touched. Only misses come here.</summary>
internal static class FreshPages
{
    // Up to here small pages cost no more time than one huge page, and less memory.
    private const long ThinTailBytes = BlockSource.HugePageBytes / 8;

    /// <summary>
    /// Asks for small pages where the image ends in a fresh huge page that it hardly uses: a tail of 100 KiB is to cost 100 KiB of resident memory, not
    /// 2 MiB. To be called after <see cref="LifetimeGuard.SetUsed"/>.
    /// </summary>
    public static void ThinTail(LifetimeGuard guard, BlockSource source)
    {
        long start = guard.UsedLastBytes & -BlockSource.HugePageBytes;
        long tail = guard.UsedLastBytes - start;
        long rest = guard.LastBlockBytes - start;
        if (tail is > 0 and <= ThinTailBytes && rest >= BlockSource.HugePageBytes && rest <= guard.FreshBytes)
        {
            guard.ThinTail = guard.AddressOf(guard.BlockCount - 1) + (nint)start;
            source.PreferHugePages(guard.ThinTail, BlockSource.HugePageBytes, preferred: false);
        }
    }

    /// <summary>The rent ends: its pages are counted, and the next one may use more of them.</summary>
    public static void End(LifetimeGuard guard, BlockSource source, MemoryAccounts accounts)
    {
        // Blocks whose pages are asked for in one way can be moved in one piece.
        if (guard.ThinTail != 0)
        {
            source.PreferHugePages(guard.ThinTail, BlockSource.HugePageBytes, preferred: true);
        }

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
