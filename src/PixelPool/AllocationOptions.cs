namespace PixelPool;

/// <summary>What one rent requires of its memory.</summary>
[Flags]
public enum AllocationOptions
{
    /// <summary>No requirements. Pixels have undefined values: whatever was written there before.</summary>
    None = 0,

    /// <summary>Every pixel is zero. Pages that come fresh from the system are zero already, and are not cleared again.</summary>
    Clean = 1,

    /// <summary>
    /// One piece of memory, as native libraries need it: one pointer and a stride. Images larger than a block are made of blocks that lie side by side. If
    /// memory of that size is idle, it is used at once. Otherwise, on Linux, idle blocks are moved together, which takes some microseconds for each.
    /// </summary>
    Contiguous = 2,
}
