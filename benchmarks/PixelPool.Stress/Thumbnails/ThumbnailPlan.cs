namespace PixelPool.Stress.Thumbnails;

/// <summary>What is measured.</summary>
/// <param name="Photos">A folder of photos; null for the sample's test photos.</param>
/// <param name="Seconds">About how long one run takes with one photo at a time.</param>
/// <param name="Rounds">How often everything is measured, each time in a fresh process; the median counts.</param>
internal sealed record ThumbnailPlan(string? Photos, double Seconds, int Rounds);
