namespace PixelPool.Accounts;

/// <summary>Why idle memory went back to the system.</summary>
internal enum TrimReason
{
    /// <summary>The policy's pace, on the timer.</summary>
    Timer,

    /// <summary>The policy's pace, after a collection of generation 2 came before the timer.</summary>
    Gen2,

    /// <summary>Memory is short in the container or the machine, or less of it is available than before.</summary>
    Pressure,

    /// <summary>Trim or TrimTo was called.</summary>
    Request,

    /// <summary>The system had no memory for somebody in this process.</summary>
    OutOfMemory,

    /// <summary>Something else needed its place in the budget.</summary>
    Budget,

    /// <summary>The pool was disposed or finalized.</summary>
    Disposal,
}
