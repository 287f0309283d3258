namespace LoadResizeSave.Pipeline;

/// <summary>How long the steps took, for one photo or added up over all of them and all threads.</summary>
internal readonly record struct StageTimes(TimeSpan Decode, TimeSpan Resize, TimeSpan Encode)
{
    public TimeSpan Total => Decode + Resize + Encode;

    public static StageTimes operator +(StageTimes a, StageTimes b) => new(a.Decode + b.Decode, a.Resize + b.Resize, a.Encode + b.Encode);
}
