namespace PixelPool;

/// <summary>
/// A request would have held more bytes at once than a budget allows, that of the allocator (<see cref="PixelAllocatorOptions.MaxRentedBytes"/>) or that of a
/// scope, or others wait for that room. Nothing was taken. Unless the request is larger than the whole budget, it can succeed once other buffers were disposed.
/// </summary>
public sealed class PixelBudgetExceededException : InvalidMemoryOperationException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="requestedBytes">Bytes the request would have held.</param>
    /// <param name="limitBytes">The budget, in bytes.</param>
    public PixelBudgetExceededException(long requestedBytes, long limitBytes)
        : base(requestedBytes > limitBytes
            ? $"{ByteSize.Format(requestedBytes)} are more than the whole budget of {ByteSize.Format(limitBytes)}."
            : $"{ByteSize.Format(requestedBytes)} do not fit into what is left of the budget of {ByteSize.Format(limitBytes)}, or others wait for that room.")
    {
        RequestedBytes = requestedBytes;
        LimitBytes = limitBytes;
    }

    /// <summary>Bytes the request would have held: whole blocks, not only the pixels.</summary>
    public long RequestedBytes { get; }

    /// <summary>The budget that has no room, in bytes: <see cref="PixelAllocatorOptions.MaxRentedBytes"/>, or <see cref="RentScope.MaxRentedBytes"/> of a scope.</summary>
    public long LimitBytes { get; }
}
