namespace PixelPool;

/// <summary>Where images of at most <see cref="PixelAllocatorOptions.SmallBufferThresholdBytes"/> get their memory.</summary>
public enum SmallBufferStrategy
{
    /// <summary>
    /// From <see cref="PixelAllocatorOptions.ArrayPool"/>. The fastest, and the default. Arrays that the pool keeps idle are neither counted nor trimmed here.
    /// </summary>
    ArrayPool = 0,

    /// <summary>
    /// From pieces of pooled blocks, cut in size classes of 4 KiB to a quarter of a block: unmanaged, aligned to 4,096 bytes, and trimmed with the blocks.
    /// </summary>
    Slab = 1,

    /// <summary>From whole blocks: every image, however small, takes a block.</summary>
    None = 2,
}
