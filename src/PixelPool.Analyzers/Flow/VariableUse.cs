namespace PixelPool.Analyzers.Flow;

/// <summary>What a place does with the variable that it names, and with the duty to dispose it.</summary>
internal enum VariableUse
{
    /// <summary>Asks it for something: the duty stays.</summary>
    Asks,

    /// <summary>Something else is put into the variable.</summary>
    Assigns,

    /// <summary>Disposes it.</summary>
    Disposes,

    /// <summary>Passes it to a method, which may keep or dispose it.</summary>
    Passes,

    /// <summary>Hands it on, to somebody who may dispose it: returned, stored, captured.</summary>
    HandsOn,
}
