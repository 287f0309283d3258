using PixelPool.Diagnostics;

namespace PixelPool.Lifetime;

/// <summary>A kind of memory: where a rent came from, and where its guard gives it back to. All that a guard knows of it.</summary>
internal abstract class MemoryTier
{
    /// <summary>What a rent of this kind holds, as reports tell it.</summary>
    public virtual RentKind Kind => RentKind.Memory;

    /// <summary>Whether rents of this kind count against budgets.</summary>
    public virtual bool IsCharged => true;

    /// <summary>Where the memory of a rent came from, in the words of the event source. Null when rents of this kind are not told.</summary>
    public abstract string? SourceOf(LifetimeGuard guard);

    /// <summary>
    /// Takes back what a guard holds, releases what was charged for it, and parks the guard. Called once for every rent, by the thread that released the last
    /// reference, or by the finalizer. From the moment it is parked the guard may belong to the next rent.
    /// </summary>
    public abstract void GiveBack(LifetimeGuard guard);

    /// <summary>Memory that a guard kept is about to go back: from here on it is not held, so its charge can end. Throws nothing.</summary>
    public virtual void OnEvicting(LifetimeGuard guard)
    {
    }

    /// <summary>As <see cref="GiveBack"/>, of memory that a guard kept which is not rented, after <see cref="OnEvicting"/>. Only for tiers of which guards keep memory.</summary>
    public virtual void EvictCached(LifetimeGuard guard) => throw new NotSupportedException();
}
