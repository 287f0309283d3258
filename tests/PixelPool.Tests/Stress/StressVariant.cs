namespace PixelPool.Tests.Stress;

/// <summary>How the allocator of a stress run is set up.</summary>
public enum StressVariant
{
    /// <summary>Small images in arrays, trimming by demand.</summary>
    Arrays,

    /// <summary>Small images in arrays that threads keep, trimming by demand.</summary>
    SharedArrays,

    /// <summary>Small images in slabs, trimming by halves.</summary>
    Slabs,

    /// <summary>A budget that is too small, and memory that is cleared when it is returned.</summary>
    Budget,

    /// <summary>Mostly images in one piece, of memory whose blocks can be moved.</summary>
    Divisible,

    /// <summary>As <see cref="Divisible"/>, with a budget that is too small, and memory that is cleared when it is returned.</summary>
    DivisibleBudget,

    /// <summary>Mostly images in one piece, of memory whose blocks cannot be moved.</summary>
    Whole,

    /// <summary>Mostly images in one piece, of the memory of this machine.</summary>
    Real,

    /// <summary>As <see cref="Real"/>, with a budget that is too small, memory that is cleared when it is returned, and one rent in ten guarded.</summary>
    Guarded,
}
