namespace PixelPool;

/// <summary>Where images of at most <see cref="PixelAllocatorOptions.SmallBufferThresholdBytes"/> get their memory.</summary>
public enum SmallBufferStrategy
{
    /// <summary>
    /// From <see cref="PixelAllocatorOptions.ArrayPool"/>. The fastest, and the default. Arrays that the pool keeps idle are neither counted nor trimmed here.
    /// </summary>
    ArrayPool = 0,

    /// <summary>
    /// From pieces of pooled blocks: unmanaged, and trimmed with the blocks. There are two sizes per doubling, from 64 bytes to half a block, so a piece is at most half
    /// as large again as an image of more than 128 bytes. Every piece starts on a multiple of 64 bytes, and of
    /// <see cref="PixelAllocatorOptions.RowAlignmentBytes"/>; a larger alignment makes the smallest piece larger, too.
    /// </summary>
    Slab = 1,

    /// <summary>From whole blocks: every image, however small, takes a block.</summary>
    None = 2,
}
