using System.Runtime.CompilerServices;

namespace PixelPool.Lifetime;

// A guard whose memory stays with it while the cache of a thread has it.
internal sealed partial class LifetimeGuard
{
    /// <summary>Who kept the memory before the rent began, and may keep it again as it is.</summary>
    public object? OwnerCache => _ownerCache;

    /// <summary>The size as which it was kept.</summary>
    public int KeptSize => _keptSize;

    /// <summary>Says who keeps the memory when the rent has ended, and as what.</summary>
    /// <param name="cache">Who keeps it.</param>
    /// <param name="size">The size of what is kept.</param>
    public void SetOwnerCache(object cache, int size)
    {
        _ownerCache = cache;
        _rentedBy = Environment.CurrentManagedThreadId;
        _keptSize = (sbyte)size;
    }

    /// <summary>The memory goes elsewhere.</summary>
    public void ForgetOwnerCache()
    {
        if (_ownerCache is not null)
        {
            _ownerCache = null;
        }
    }

    /// <summary>Begins another rent of what the guard kept when the last one ended.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void HoldAgain() => Open();
}
