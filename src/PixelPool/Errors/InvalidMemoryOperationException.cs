namespace PixelPool;

/// <summary>
/// Thrown for a request for memory that can never be served: a size that overflows or exceeds a limit, a pointer to pixels that are not contiguous, or a block
/// that the pool did not rent.
/// </summary>
public class InvalidMemoryOperationException : InvalidOperationException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="message">What was asked for, with its sizes, and which limit it met.</param>
    public InvalidMemoryOperationException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with the error that led to it.</summary>
    /// <param name="message">What was asked for, with its sizes, and which limit it met.</param>
    /// <param name="innerException">The error that led to this one.</param>
    public InvalidMemoryOperationException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }
}
