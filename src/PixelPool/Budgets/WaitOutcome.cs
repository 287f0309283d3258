namespace PixelPool.Budgets;

/// <summary>How a wait for budget ended.</summary>
internal enum WaitOutcome
{
    /// <summary>An exception of another kind ended it, such as an interrupted thread.</summary>
    Failed,

    Granted,

    Cancelled,

    TimedOut,

    /// <summary>The allocator or the scope was disposed.</summary>
    Disposed,
}
