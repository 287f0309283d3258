namespace PixelPool.Stress.FreshPages;

/// <summary>What writing all of an image took.</summary>
/// <param name="FreshSeconds">When its memory had just come from the system.</param>
/// <param name="AgainSeconds">The same memory, once more.</param>
internal sealed record FreshPagesRound(double FreshSeconds, double AgainSeconds);
