namespace PixelPool.Diagnostics.Charts;

/// <summary>What is marked above the chart.</summary>
internal enum MarkKind
{
    /// <summary>Idle memory went back to the system.</summary>
    Trim,

    /// <summary>Requests waited for budget.</summary>
    Wait,

    /// <summary>A finalizer returned what somebody forgot.</summary>
    Leak,
}
