namespace PixelPool;

/// <summary>
/// A request for memory that cannot be served whatever the state of the system: a size that overflows or exceeds a limit, a pointer
/// to pixels that are not contiguous, a block that the pool did not hand out.
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
