namespace PixelPool.Nodes.Lists;

/// <summary>What a process measured.</summary>
/// <param name="Passes">In their order; in the first one memory comes from the system.</param>
/// <param name="PeakBytes">The most that was resident.</param>
internal sealed record ListResult(IReadOnlyList<Pass> Passes, long PeakBytes);
