using Imaging.Photos;

namespace Imaging.Thumbnails;

/// <summary>What became of one photo: a thumbnail, or the reason why there is none.</summary>
public readonly record struct PhotoOutcome(Photo Photo, long Pixels, StageTimes Times, string? Problem)
{
    internal static PhotoOutcome Done(Photo photo, long pixels, StageTimes times) => new(photo, pixels, times, Problem: null);

    internal static PhotoOutcome Skipped(Photo photo, string problem) => new(photo, 0, default, problem);
}
