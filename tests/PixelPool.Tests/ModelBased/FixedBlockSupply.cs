namespace PixelPool.Tests.ModelBased;

/// <summary>Where the blocks of objects come from.</summary>
public enum FixedBlockSupply
{
    /// <summary>A pool that is full at some time.</summary>
    OwnPool,

    /// <summary>The same, and wrong frees are found.</summary>
    CheckedFrees,

    /// <summary>An allocator of images.</summary>
    Allocator,

    /// <summary>The same, with a budget that is full at some time.</summary>
    Budget,
}
