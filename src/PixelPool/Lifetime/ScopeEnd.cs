using PixelPool.Threading;

namespace PixelPool.Lifetime;

/// <summary>
/// Whether a scope has ended, and the lock under which it ends. What outlives the scope's rents, as their guards do, knows it by this: it leads to nothing, so it keeps neither the scope nor what that
/// owns from being found forgotten.
/// </summary>
internal sealed class ScopeEnd : UninterruptibleLock
{
    /// <summary>Set once.</summary>
    public volatile bool HasCome;
}
