namespace PixelPool;

/// <summary>
/// Thrown when memory cannot be given or used as asked: a size over a limit, a pointer to pixels that are not contiguous, a pool that is full, a block that the pool did not rent, an
/// <see cref="System.Buffers.ArrayPool{T}"/> that breaks its contract, or a guarded image that was written beside.
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
