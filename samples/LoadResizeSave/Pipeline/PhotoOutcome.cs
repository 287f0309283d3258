using LoadResizeSave.Photos;

namespace LoadResizeSave.Pipeline;

/// <summary>What became of one photo: a thumbnail, or the reason why there is none.</summary>
internal readonly record struct PhotoOutcome(Photo Photo, long Pixels, StageTimes Times, string? Problem)
{
    public static PhotoOutcome Done(Photo photo, long pixels, StageTimes times) => new(photo, pixels, times, Problem: null);

    public static PhotoOutcome Skipped(Photo photo, string problem) => new(photo, 0, default, problem);
}
