namespace PixelPool;

/// <summary>What one request asks of its memory.</summary>
[Flags]
public enum AllocationOptions
{
    /// <summary>Memory as it comes: pixels hold whatever was written there before.</summary>
    None = 0,

    /// <summary>Every pixel is zero. Pages that are fresh from the system are not cleared a second time.</summary>
    Clean = 1,

    /// <summary>
    /// One piece of memory, as native libraries want it: one pointer and a stride. Images larger than a block are made of blocks that lie side by
    /// side: a plain hit when memory of that size is idle, otherwise, on Linux, idle blocks are moved together, for some microseconds each.
    /// </summary>
    Contiguous = 2,
}
