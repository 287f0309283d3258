using PixelPool.Diagnostics;

namespace PixelPool.Lifetime;

/// <summary>A kind of memory: where a rent came from, and where its guard gives it back to. All that a guard knows of it.</summary>
internal abstract class MemoryTier
{
    /// <summary>What a rent of this kind holds, as reports tell it.</summary>
    public virtual RentKind Kind => RentKind.Memory;

    /// <summary>Where the memory of a rent came from, in the words of the event source. Null when rents of this kind are not told.</summary>
    public abstract string? SourceOf(LifetimeGuard guard);

    /// <summary>
    /// Takes back what a guard holds, releases what was charged for it, and parks the guard. Called once for every rent, by the thread that released the last
    /// reference, or by the finalizer. From the moment it is parked the guard may belong to the next rent.
    /// </summary>
    public abstract void GiveBack(LifetimeGuard guard);

    /// <summary>
    /// Bytes that count as rented and are idle, because a guard keeps them that is not rented. Called once for every such guard, while all stripes are halted.
    /// </summary>
    /// <param name="guard">The guard.</param>
    /// <param name="reading">Names what is read now: it is another number than that of the reading before.</param>
    public virtual long GetIdleBytes(LifetimeGuard guard, long reading) => guard.HeldBytes;

    /// <summary>
    /// A guard that keeps small memory leaves its place: <see cref="GiveBackKept"/> comes next. Nobody rents the memory meanwhile, and nobody sees it rented. Called while that place is
    /// halted.
    /// </summary>
    /// <returns>Bytes that count as given back from now on.</returns>
    public virtual long BeginGiveBackKept(LifetimeGuard guard) => guard.HeldBytes;

    /// <summary>As <see cref="GiveBack"/>, after <see cref="BeginGiveBackKept"/>. Only for tiers whose memory is kept by guards that are not rented.</summary>
    public virtual void GiveBackKept(LifetimeGuard guard) => throw new NotSupportedException();
}
