namespace PixelPool.Budgets;

/// <summary>Who rents through something that is no allocator: a scope.</summary>
internal interface IRentPayer
{
    /// <summary>What pays, if anything does.</summary>
    MemoryBudget? Budget { get; }

    /// <summary>A request of it is about to wait: it is ended with it.</summary>
    void OnWaiting();

    /// <summary>The type that exceptions name, once it was disposed: its requests end then. Null before.</summary>
    string? DisposedType { get; }

    /// <summary>What its rents are for; null when that was not said.</summary>
    string? Tag { get; }

    /// <summary>Adds the guards of everything that it owns and that was not disposed.</summary>
    void AddOwned(HashSet<object> guards);
}
