namespace PixelPool.Stress.SmallMemory;

/// <summary>What is measured.</summary>
internal enum SmallPart
{
    /// <summary>Images that are held, filled, converted and returned.</summary>
    Images,

    /// <summary>Rented by one thread, returned by another.</summary>
    Handover,

    /// <summary>Random sizes in random order.</summary>
    Mixed,

    /// <summary>What is resident after live memory has fallen to a tenth, again and again.</summary>
    Swings,
}
