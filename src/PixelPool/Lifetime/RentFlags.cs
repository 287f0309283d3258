namespace PixelPool.Lifetime;

/// <summary>
/// Why a rent is more than memory that goes back as it is. All rare reasons are in one mask, so that the common rent pays for one test.
/// </summary>
[Flags]
internal enum RentFlags : byte
{
    /// <summary>Nothing else is to be done.</summary>
    None = 0,

    /// <summary>A budget of its own was charged: that of a scope.</summary>
    Payee = 1,

    /// <summary>Some of the memory came fresh from the system.</summary>
    Fresh = 2,

    /// <summary>What is returned is cleared: every rent of every guard of the pool.</summary>
    Clear = 4,

    /// <summary>Somebody may want to know of the rent before it is handed out.</summary>
    Sample = 8,

    /// <summary>It is remembered where the rent was made.</summary>
    Traced = 16,

    /// <summary>The event source told that the rent began.</summary>
    Announced = 32,

    /// <summary>It is remembered what the rent is for.</summary>
    Tagged = 64,

    /// <summary>A scope remembers the lease.</summary>
    Scoped = 128,
}
