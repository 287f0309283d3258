using PixelPool.Budgets;

namespace PixelPool;

/// <summary>
/// Thrown when a request would exceed a budget, that of the allocator (<see cref="PixelAllocatorOptions.MaxRentedBytes"/>) or that of a scope, or when earlier
/// requests wait for that room. Nothing was rented. Unless the request is larger than the whole budget, it can succeed after other buffers were disposed.
/// </summary>
public sealed class PixelBudgetExceededException : InvalidMemoryOperationException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="requestedBytes">Bytes the request would have held.</param>
    /// <param name="limitBytes">The budget, in bytes.</param>
    public PixelBudgetExceededException(long requestedBytes, long limitBytes)
        : this(requestedBytes, limitBytes, "budget", othersMayWait: true)
    {
    }

    /// <param name="requestedBytes">Bytes the request would have held.</param>
    /// <param name="refusing">The budget that has no room for them.</param>
    internal PixelBudgetExceededException(long requestedBytes, MemoryBudget refusing)
        : this(requestedBytes, refusing.LimitBytes, refusing.Description, othersMayWait: !refusing.IsReservation)
    {
    }

    private PixelBudgetExceededException(long requestedBytes, long limitBytes, string budget, bool othersMayWait)
        : base(requestedBytes > limitBytes
            ? $"{ByteSize.Format(requestedBytes)} is more than the whole {budget} ({ByteSize.Format(limitBytes)})."
            : $"{ByteSize.Format(requestedBytes)} does not fit in what is left of the {budget} ({ByteSize.Format(limitBytes)})"
                + (othersMayWait ? ", or others wait for that room." : "."))
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
}
