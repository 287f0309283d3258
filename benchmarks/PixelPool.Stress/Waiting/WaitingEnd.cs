namespace PixelPool.Stress.Waiting;

/// <summary>How the operations of a case must end.</summary>
internal enum WaitingEnd
{
    /// <summary>All of them get what they ask for.</summary>
    AllSucceed,

    /// <summary>They get it, or the budget refuses them by name: where memory was full to the last byte before anybody waited, all of them wait for each other.</summary>
    RefusedByName,

    /// <summary>They wait for each other: that is reported as a deadlock, and ends by refusals.</summary>
    Deadlock,
}
