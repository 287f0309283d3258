namespace PixelPool.Lifetime;

/// <summary>
/// Why a rent is more than memory that goes back as it is. All rare reasons are in one mask, so that the common rent pays for one test.
/// </summary>
[Flags]
internal enum RentFlags : byte
{
    /// <summary>Nothing else is to be done.</summary>
    None = 0,

    /// <summary>Something is remembered of it that few rents have: the budget of a scope, which was charged, where the rent was made, or what it is for.</summary>
    Remembered = 1,

    /// <summary>Some of the memory came fresh from the system.</summary>
    Fresh = 2,

    /// <summary>What is returned is cleared: every rent of every guard of the pool.</summary>
    Clear = 4,

    /// <summary>Somebody may want to know of the rent before it is handed out.</summary>
    Sample = 8,

    /// <summary>The event source told that the rent began.</summary>
    Announced = 16,

    /// <summary>A scope remembers the lease.</summary>
    Scoped = 32,
}
