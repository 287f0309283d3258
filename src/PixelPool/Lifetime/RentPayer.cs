using PixelPool.Budgets;
using PixelPool.Threading;

namespace PixelPool.Lifetime;

/// <summary>
/// Who rents through something that is no allocator: a scope, as those below it know it. Also the lock under which the scope ends. What outlives the scope's rents, as their guards do, may hold this:
/// it leads to nothing but budgets and the scopes around it as they are known here, so it keeps neither the scope nor what that owns from being found forgotten.
/// </summary>
/// <param name="outer">The scope around it, if there is one.</param>
/// <param name="budget">What pays, if anything does.</param>
internal sealed class RentPayer(RentPayer? outer, MemoryBudget? budget) : UninterruptibleLock
{
    /// <summary>What pays, if anything does.</summary>
    public readonly MemoryBudget? Budget = budget;

    /// <summary>Whether the scope has ended, and its requests with it. Set once.</summary>
    public volatile bool HasEnded;

    /// <summary>What its rents are for; null when that was not said.</summary>
    public volatile string? Tag = outer?.Tag;

    /// <summary>Whether it is that scope, or lies in it.</summary>
    public bool LiesIn(RentPayer scope) => this == scope || outer?.LiesIn(scope) == true;
}
