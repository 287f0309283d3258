namespace PixelPool;

/// <summary>
/// <see cref="PixelAllocator.Rent{TPixel}"/> would have held more bytes at once than <see cref="PixelAllocatorOptions.MaxRentedBytes"/>
/// allows. Nothing was taken; the request can succeed once other buffers were disposed.
/// </summary>
public sealed class PixelBudgetExceededException : InvalidMemoryOperationException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="requestedBytes">Bytes the request would have held.</param>
    /// <param name="limitBytes">The budget, in bytes.</param>
    public PixelBudgetExceededException(long requestedBytes, long limitBytes)
        : base($"{ByteSize.Format(requestedBytes)} do not fit into what is left of the budget of {ByteSize.Format(limitBytes)} rented at once.")
    {
        RequestedBytes = requestedBytes;
        LimitBytes = limitBytes;
    }

    /// <summary>Bytes the request would have held: whole blocks, not only the pixels.</summary>
    public long RequestedBytes { get; }

    /// <summary>The budget, in bytes: <see cref="PixelAllocatorOptions.MaxRentedBytes"/>.</summary>
    public long LimitBytes { get; }
}
