namespace PixelPool.Diagnostics.Metrics;

/// <summary>How the figures of several allocators become one, and what stays of one that is gone.</summary>
internal enum FigureKind
{
    /// <summary>The sum of what each counted; that stays.</summary>
    Counter,

    /// <summary>The sum of what each has now; who is gone has nothing.</summary>
    Level,

    /// <summary>The largest one, in ticks; who is gone has none.</summary>
    Longest,
}
