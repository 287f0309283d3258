namespace PixelPool.Lifetime;

/// <summary>
/// Why a rent is more than blocks that go back to the depot as they are. All rare reasons are in one mask, so that the common rent pays for one test.
/// </summary>
[Flags]
internal enum RentCare
{
    /// <summary>Blocks of the pool, and nothing else to do.</summary>
    None = 0,

    /// <summary>No single blocks of the pool: a run of them, or memory of another tier.</summary>
    OtherTier = 1,

    /// <summary>A budget was charged.</summary>
    Budget = 2,

    /// <summary>Some of the memory came fresh from the system.</summary>
    Fresh = 4,

    /// <summary>The pool clears what is returned: every rent of every one of its guards.</summary>
    Clear = 8,

    /// <summary>Somebody may want to know of the rent before it is handed out.</summary>
    Look = 16,

    /// <summary>It is remembered where the rent was made.</summary>
    Traced = 32,

    /// <summary>The event source told that the rent began.</summary>
    Announced = 64,
}
