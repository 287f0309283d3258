namespace PixelPool.Lifetime;

/// <summary>
/// Why a rent is more than blocks that go back to the depot as they are. All rare reasons are in one mask, so that the common rent pays for one test.
/// </summary>
[Flags]
internal enum RentCare
{
    /// <summary>Blocks of the pool, and nothing else to do.</summary>
    None = 0,

    /// <summary>Blocks of the pool that lie side by side.</summary>
    Run = 1,

    /// <summary>Memory of another tier than the pool's blocks.</summary>
    OtherTier = 2,

    /// <summary>A budget was charged.</summary>
    Budget = 4,

    /// <summary>Some of the memory came fresh from the system.</summary>
    Fresh = 8,

    /// <summary>The pool clears what is returned: every rent of every one of its guards.</summary>
    Clear = 16,

    /// <summary>Somebody may want to know of the rent before it is handed out.</summary>
    Look = 32,

    /// <summary>It is remembered where the rent was made.</summary>
    Traced = 64,

    /// <summary>The event source told that the rent began.</summary>
    Announced = 128,
}
