namespace PixelPool.Budgets;

/// <summary>Where a request for one budget stands. It gets in line once, and out of it once.</summary>
internal enum WaiterState
{
    /// <summary>It is not in line yet, gave up, or begins anew. Nothing was charged.</summary>
    OutOfLine,

    /// <summary>It waits.</summary>
    InLine,

    /// <summary>The bytes were charged to it: they are its owner's to use or to release.</summary>
    Granted,

    /// <summary>It was given a piece instead. Nothing was charged.</summary>
    Handed,
}
