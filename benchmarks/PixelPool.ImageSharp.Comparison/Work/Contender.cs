namespace ImageSharp.Comparison.Work;

/// <summary>Where ImageSharp gets its memory.</summary>
internal enum Contender
{
    /// <summary>Its own allocator, with all defaults.</summary>
    Default,

    /// <summary>Its own allocator without a pool.</summary>
    NoPool,

    /// <summary>The adapter, with an allocator with all defaults.</summary>
    PixelPool,
}
