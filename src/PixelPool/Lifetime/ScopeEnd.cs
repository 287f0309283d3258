using PixelPool.Threading;

namespace PixelPool.Lifetime;

/// <summary>
/// Whether a scope has ended, and the lock under which it ends. What outlives the scope's rents, as their guards do, knows it by this: it leads to nothing but the ends of the scopes around it, so it
/// keeps neither the scope nor what that owns from being found forgotten.
/// </summary>
/// <param name="outer">That of the scope around it, if there is one.</param>
internal sealed class ScopeEnd(ScopeEnd? outer) : UninterruptibleLock
{
    /// <summary>Set once.</summary>
    public volatile bool HasCome;

    /// <summary>Whether it is that scope, or lies in it.</summary>
    public bool LiesIn(ScopeEnd scope) => this == scope || outer?.LiesIn(scope) == true;
}
