namespace PixelPool.Pooling;

/// <summary>What whoever returned something to a stripe has to do when the lock is left.</summary>
[Flags]
internal enum AfterReturn
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Start the timer of trimming: something is idle.</summary>
    Arm = 1,

    /// <summary>Release the budget: it wants to know exactly what is rented, so the stripe keeps no credit.</summary>
    ReleaseCharge = 2,
}
