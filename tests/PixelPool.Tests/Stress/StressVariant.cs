namespace PixelPool.Tests.Stress;

/// <summary>How the allocator of a stress run is set up.</summary>
public enum StressVariant
{
    /// <summary>Small images in arrays, trimming by demand.</summary>
    Arrays,

    /// <summary>Small images in slabs, trimming by halves.</summary>
    Slabs,

    /// <summary>A budget that is too small, and memory that is cleared when it is returned.</summary>
    Budget,
}
