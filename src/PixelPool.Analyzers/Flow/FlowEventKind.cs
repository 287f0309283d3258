namespace PixelPool.Analyzers.Flow;

/// <summary>What happens to the followed variable at a place.</summary>
internal enum FlowEventKind
{
    /// <summary>It gets what the followed creation gave.</summary>
    Creates,

    /// <summary>It gets what the followed creation gave, or nothing.</summary>
    MayCreate,

    /// <summary>It gets something else.</summary>
    Assigns,

    /// <summary>What it holds is disposed.</summary>
    Disposes,

    /// <summary>It is named for another purpose.</summary>
    Names,

    /// <summary>A variable is named whose value depends on it.</summary>
    NamesDependent,
}
