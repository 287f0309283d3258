using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>The end of a rent: to the thread that keeps what it rented, and otherwise to the tier that the memory came from.</summary>
internal static class MemoryReturn
{
    /// <summary>Releases the reference of the handle that was rented; if it is the last one the memory goes back to its tier.</summary>
    /// <returns>False when that was done before, or the rent has ended: nothing was done.</returns>
    /// <remarks>
    /// Compiled once, with all of the common return in it, for the reason why rents are. What the thread keeps is looked up before the reference is released: what comes
    /// after a locked operation waits for it.
    /// </remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool TryEnd(LifetimeGuard guard, uint version)
    {
        var cache = Unsafe.As<ThreadCache?>(guard.OwnerCache);
        if (cache is null || !cache.IsMine || !guard.TryReleaseLast(version))
        {
            return TryEndSlowly(guard, version);
        }

        if (!(guard.IsPlain || guard.TryLeaveScope()) || !cache.TryCache(guard))
        {
            guard.GiveBack();
        }

        return true;
    }

    // Of what the calling thread did not keep before, or what others hold, too.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TryEndSlowly(LifetimeGuard guard, uint version)
    {
        bool released = guard.TryReleaseOwner(version, out bool last);
        if (!last)
        {
            return released;
        }

        if (!(guard.IsPlain || guard.TryLeaveScope()))
        {
            guard.GiveBack();
        }
        else if (guard.Tier is BlockTier blocks)
        {
            // Known by its type: no virtual call.
            if (!blocks.TryCache(guard))
            {
                blocks.GiveBackPlain(guard);
            }
        }
        else if (!SmallMemory.TryCache(guard))
        {
            guard.GiveBackPlain();
        }

        return true;
    }
}
