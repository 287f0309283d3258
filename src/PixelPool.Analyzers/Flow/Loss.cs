namespace PixelPool.Analyzers.Flow;

/// <summary>Whether somebody disposes what a call gave, or got it and may.</summary>
internal enum Loss
{
    /// <summary>Somebody does, or may.</summary>
    None,

    /// <summary>Nobody does.</summary>
    Always,

    /// <summary>On some paths nobody does.</summary>
    OnSomePaths,
}
