namespace PixelPool.Tests.ModelBased;

/// <summary>How the allocator is set up.</summary>
public enum AllocatorVariant
{
    /// <summary>Small images in arrays of a pool of the application.</summary>
    Arrays,

    /// <summary>Small images in arrays that threads keep, rows aligned to words.</summary>
    KeptArrays,

    /// <summary>Small images in slabs, rows aligned to 128 bytes.</summary>
    Slabs,

    /// <summary>A budget that is too small, and small images in arrays.</summary>
    Budget,

    /// <summary>A budget that is too small, small images in slabs, memory that is cleared when it is returned.</summary>
    SlabBudget,

    /// <summary>Blocks that can be moved, and a budget that is too small.</summary>
    Divisible,

    /// <summary>The memory of this machine, whose kernel refuses calls. Linux only.</summary>
    Kernel,

    /// <summary>The same with a budget that is too small, and one rent in three between pages that nobody can touch.</summary>
    Guarded,
}
