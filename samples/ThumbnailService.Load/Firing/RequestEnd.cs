namespace ThumbnailService.Load.Firing;

/// <summary>How a request ended.</summary>
/// <param name="Seconds">When, from the start of the run.</param>
/// <param name="LatencySeconds">From sending the photo to having the answer.</param>
/// <param name="Failure">Null: the thumbnail came.</param>
internal readonly record struct RequestEnd(double Seconds, double LatencySeconds, string? Failure);
