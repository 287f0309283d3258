namespace PixelPool.Analyzers.Flow;

/// <summary>What a variable may hold at a place, over all ways that lead there.</summary>
[Flags]
internal enum DisposalStates
{
    /// <summary>No way leads there.</summary>
    None = 0,

    /// <summary>Null, nothing yet, or something that is not followed.</summary>
    Other = 1,

    /// <summary>What the followed creation gave, not disposed.</summary>
    Owned = 2,

    /// <summary>Something that was disposed.</summary>
    Disposed = 4,
}
