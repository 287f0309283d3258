namespace PixelPool.Tests.Native.Linux;

/// <summary>What is at the place to which a move failed.</summary>
internal enum PlaceAfter
{
    /// <summary>What was there.</summary>
    Kept,

    /// <summary>Nothing: the kernel unmaps it before it finds out most of what can go wrong.</summary>
    Hole,

    /// <summary>Memory of somebody else, who was fast.</summary>
    Taken,
}
