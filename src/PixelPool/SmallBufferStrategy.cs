namespace PixelPool;

/// <summary>Where images of at most <see cref="PixelAllocatorOptions.SmallBufferThresholdBytes"/> get their memory.</summary>
public enum SmallBufferStrategy
{
    /// <summary>
    /// From <see cref="PixelAllocatorOptions.ArrayPool"/>. The default. Arrays that the pool keeps idle are neither counted nor trimmed here. Without a budget, a thread that rents
    /// often keeps a few arrays of <see cref="System.Buffers.ArrayPool{T}.Shared"/> for its next rents, less than 4 MiB in all: those are counted and trimmed.
    /// </summary>
    ArrayPool = 0,

    /// <summary>
    /// From pieces of pooled blocks, cut in size classes of 4 KiB to a quarter of a block: unmanaged, aligned to 4,096 bytes, and trimmed with the blocks.
    /// </summary>
    Slab = 1,

    /// <summary>From whole blocks: every image, however small, takes a block.</summary>
    None = 2,
}
