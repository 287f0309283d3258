namespace PixelPool;

/// <summary>Where images of at most <see cref="PixelAllocatorOptions.SmallBufferThresholdBytes"/> get their memory.</summary>
public enum SmallBufferStrategy
{
    /// <summary>
    /// From <see cref="PixelAllocatorOptions.ArrayPool"/>. The default. Arrays that the pool keeps idle are neither counted nor trimmed here.
    /// <para>
    /// With <see cref="System.Buffers.ArrayPool{T}.Shared"/>, a thread that rents often keeps a few arrays for its next rents, less than 4 MiB in all. These arrays are counted and trimmed.
    /// If no budget is charged for a rent, and more rents live at once, or did lately, than that pool can keep arrays for, further small images of up to half a block get memory as with
    /// <see cref="Slab"/>. The threshold is 32 rents for each processor, and at least 256, of any size.
    /// </para>
    /// <para>
    /// With a <see cref="PixelAllocatorOptions.RowAlignmentBytes"/> above 8 (4 in a 32-bit process), all small images get memory as with <see cref="Slab"/>: arrays cannot be aligned.
    /// </para>
    /// </summary>
    ArrayPool = 0,

    /// <summary>
    /// From pieces of pooled blocks: unmanaged, and trimmed with the blocks. There are two sizes per doubling, from 64 bytes to half a block, so a piece is at most half
    /// as large again as an image of more than 128 bytes. Every piece starts on a multiple of 64 bytes, and of
    /// <see cref="PixelAllocatorOptions.RowAlignmentBytes"/>; a larger alignment makes the smallest piece larger, too. Without a budget, a thread that rents often keeps
    /// a few pieces for its next rents, less than 4 MiB in all. While no block can be had, because the pool or the budget is full, arrays serve. They are pinned where rows are aligned.
    /// </summary>
    Slab = 1,

    /// <summary>From whole blocks: every image, however small, takes a block.</summary>
    None = 2,
}
