using PixelPool.Budgets;

namespace PixelPool.Lifetime;

/// <summary>Who rents through something that is no allocator: a scope.</summary>
internal interface IRentPayer
{
    /// <summary>What pays, if anything does.</summary>
    MemoryBudget? Budget { get; }

    /// <summary>Its end, with which its requests end. What it rents knows it by that.</summary>
    ScopeEnd End { get; }

    /// <summary>What its rents are for; null when that was not said.</summary>
    string? Tag { get; }
}
