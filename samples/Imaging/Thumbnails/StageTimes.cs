namespace Imaging.Thumbnails;

/// <summary>How long the steps took, for one photo or added up over all of them and all threads.</summary>
public readonly record struct StageTimes(TimeSpan Decode, TimeSpan Resize, TimeSpan Encode)
{
    /// <summary>All steps together.</summary>
    public TimeSpan Total => Decode + Resize + Encode;

    /// <summary>Step by step.</summary>
    public static StageTimes operator +(StageTimes a, StageTimes b) => new(a.Decode + b.Decode, a.Resize + b.Resize, a.Encode + b.Encode);
}
