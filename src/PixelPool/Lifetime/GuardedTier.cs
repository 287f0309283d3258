namespace PixelPool.Lifetime;

/// <summary>Where the memory of a rent came from, and goes back to.</summary>
internal enum GuardedTier : byte
{
    /// <summary>The guard is parked and holds nothing.</summary>
    None,

    /// <summary>Blocks of the pool.</summary>
    Blocks,

    /// <summary>Blocks of the pool that lie side by side.</summary>
    Run,

    /// <summary>An array of the allocator's ArrayPool.</summary>
    Array,

    /// <summary>A piece of a slab.</summary>
    Slab,

    /// <summary>Pieces that go back to the system at once.</summary>
    Unpooled,

    /// <summary>None: somebody else holds the memory, only its bytes are charged.</summary>
    External,

    /// <summary>None: a part of the budget is reserved.</summary>
    Reservation,
}
