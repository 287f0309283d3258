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

    /// <summary>Whether a request of the scope ever had to wait: it ends with the scope. Set before the request looks whether the scope has ended.</summary>
    public volatile bool EndsWaits;
}
