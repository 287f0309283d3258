namespace ThumbnailService;

/// <summary>Whose memory photos live in, and who keeps it within bounds.</summary>
internal enum MemoryMode
{
    /// <summary>PixelPool with a budget: a request waits until there is room for all that it will need.</summary>
    PixelPool,

    /// <summary>PixelPool without a budget, for contrast: every request starts at once.</summary>
    Unbounded,

    /// <summary>Arrays of the managed heap, for contrast: every request starts at once.</summary>
    Managed,
}
