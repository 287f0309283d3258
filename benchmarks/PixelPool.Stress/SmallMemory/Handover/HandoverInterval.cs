namespace PixelPool.Stress.SmallMemory.Handover;

/// <summary>An interval of hand-overs.</summary>
/// <param name="Rate">Hand-overs per second.</param>
/// <param name="ShortestHop">How long it takes until one thread sees what the other one wrote, in nanoseconds: the shorter of what was measured before and after.</param>
/// <param name="LongestHop">The longer of these.</param>
internal sealed record HandoverInterval(double Rate, double ShortestHop, double LongestHop);
