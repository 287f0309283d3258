namespace PixelPool;

/// <summary>
/// Thrown when a request would exceed the budget of the allocator (<see cref="PixelAllocatorOptions.MaxRentedBytes"/>) or of a scope, or when earlier requests
/// already wait for the remaining bytes. Nothing was rented. If the request is not larger than the whole budget, it can succeed after other buffers are disposed.
/// </summary>
public sealed class PixelBudgetExceededException : InvalidMemoryOperationException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="requestedBytes">Bytes the request would have held.</param>
    /// <param name="limitBytes">The budget, in bytes.</param>
    public PixelBudgetExceededException(long requestedBytes, long limitBytes)
        : this(requestedBytes, limitBytes, "budget", Describe(requestedBytes, limitBytes, "budget"))
    {
    }

    /// <param name="requestedBytes">Bytes the request would have held.</param>
    /// <param name="limitBytes">The budget, in bytes.</param>
    /// <param name="budget">The same in words.</param>
    /// <param name="message">What there is, and what can be done.</param>
    internal PixelBudgetExceededException(long requestedBytes, long limitBytes, string budget, string message)
        : base(message)
    {
        RequestedBytes = requestedBytes;
        LimitBytes = limitBytes;
        Budget = budget;
    }

    /// <summary>Bytes the request would have held: whole blocks, not only the pixels.</summary>
    public long RequestedBytes { get; }

    /// <summary>The budget that has no room, in bytes: <see cref="PixelAllocatorOptions.MaxRentedBytes"/>, or <see cref="RentScope.MaxRentedBytes"/> of a scope.</summary>
    public long LimitBytes { get; }

    /// <summary>
    /// The budget that has no room, in words: <c>budget of the allocator "thumbnails"</c> (<see cref="PixelAllocatorOptions.MaxRentedBytes"/>),
    /// <c>budget of a scope from CreateScope</c> or <c>reservation of a scope from ReserveScope</c>.
    /// </summary>
    public string Budget { get; }

    /// <summary>
    /// How long the request waited for room before it was refused: <see cref="PixelAllocatorOptions.RentTimeout"/> or
    /// <see cref="PixelAllocatorOptions.AsyncRentTimeout"/>. Null when it did not wait, as for a request that can never fit because it is larger than the whole budget.
    /// </summary>
    public TimeSpan? Waited { get; internal init; }

    /// <summary>What is known of any budget.</summary>
    internal static string Describe(long requestedBytes, long limitBytes, string budget) => requestedBytes > limitBytes
        ? $"{ByteSize.Format(requestedBytes)} is more than the whole {budget} ({ByteSize.Format(limitBytes)})."
        : $"{ByteSize.Format(requestedBytes)} does not fit in what is left of the {budget} ({ByteSize.Format(limitBytes)}).";
}
