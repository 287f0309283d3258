namespace PixelPool.Lifetime;

// A guard whose memory stays with it while the cache of a thread has it.
internal sealed partial class LifetimeGuard
{
    /// <summary>Who keeps the memory, or kept it before the rent began, and may keep it again as it is.</summary>
    public object? OwnerCache { get; private set; }

    /// <summary>The size as which it was kept.</summary>
    public sbyte KeptSize { get; private set; }

    /// <summary>Says who keeps the memory when the rent has ended, and as what.</summary>
    /// <param name="cache">Who keeps it.</param>
    /// <param name="size">The size of what is kept.</param>
    public void SetOwnerCache(object cache, int size)
    {
        OwnerCache = cache;
        _rentedBy = Environment.CurrentManagedThreadId;
        KeptSize = (sbyte)size;
    }

    /// <summary>The memory goes elsewhere.</summary>
    public void ForgetOwnerCache() => OwnerCache = null;

    /// <summary>The next one of those that were taken together from a cache. A field: nothing is allocated.</summary>
    public ref LifetimeGuard? NextTaken => ref _rare.NextTaken;

    /// <summary>Says which part of an array serves, before another rent of it begins.</summary>
    public void MoveInArray(int offset) => First = offset;
}
