namespace ImageSharp.Comparison.Work;

/// <summary>What a process does.</summary>
internal enum JobKind
{
    /// <summary>Photos to thumbnails, one after the other.</summary>
    Thumbnails,

    /// <summary>The same on eight threads.</summary>
    ThumbnailsOnEightThreads,

    /// <summary>Single operations on an image of 6 megapixels.</summary>
    Operations,
}
