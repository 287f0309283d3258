using System.Runtime.CompilerServices;

namespace PixelPool.Threading;

/// <summary>What the threads of one processor use, and the lock for it, in cache lines of its own.</summary>
internal abstract class LockedStripe : CacheLineApart
{
    /// <summary>Guards everything in the stripe.</summary>
    protected StripeLock Gate;

    /// <summary>Has the stripe for itself: <c>using (Hold()) { … }</c>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Holder Hold()
    {
        Gate.Enter(this);
        return new Holder(this);
    }

    /// <summary>Lets others in when disposed.</summary>
    public readonly struct Holder(LockedStripe stripe) : IDisposable
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Dispose() => stripe.Gate.Exit(stripe);
    }
}
