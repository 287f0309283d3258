namespace ImageSharp.Tests.Infrastructure;

/// <summary>Allocators that get memory from different tiers.</summary>
public enum MemoryKind
{
    /// <summary>All defaults.</summary>
    Default,

    /// <summary>Nothing is pooled but small arrays.</summary>
    Unpooled,

    /// <summary>Small memory comes from slabs.</summary>
    Slabs,

    /// <summary>With a budget that has room for everything.</summary>
    Budget,

    /// <summary>All memory is zero, asked for or not.</summary>
    Zeroed,

    /// <summary>Blocks of the smallest size: nearly every buffer is a run of several.</summary>
    SmallBlocks,
}
