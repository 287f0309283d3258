namespace PixelPool.Budgets;

/// <summary>Where a request for one budget stands. It ends in one of the last two, once.</summary>
internal enum WaiterState
{
    /// <summary>It is not in line yet.</summary>
    New,

    /// <summary>It waits.</summary>
    InLine,

    /// <summary>The bytes were charged to it: they are its owner's to use or to release.</summary>
    Granted,

    /// <summary>It gave up, or begins anew. Nothing was charged.</summary>
    Left,
}
