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
        : this(requestedBytes, limitBytes, "budget", Describe(requestedBytes, limitBytes, "budget"))
    {
    }

    /// <param name="requestedBytes">Bytes the request would have held.</param>
    /// <param name="refusing">The budget that has no room for them.</param>
    /// <param name="holders">Who holds most, in a sentence. Empty when nobody knows.</param>
    internal PixelBudgetExceededException(long requestedBytes, MemoryBudget refusing, string holders)
        : this(requestedBytes, refusing.LimitBytes, refusing.Description, Describe(requestedBytes, refusing, holders))
    {
    }

    private PixelBudgetExceededException(long requestedBytes, long limitBytes, string budget, string message)
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

    private static string Describe(long requestedBytes, long limitBytes, string budget) => requestedBytes > limitBytes
        ? $"{ByteSize.Format(requestedBytes)} is more than the whole {budget} ({ByteSize.Format(limitBytes)})."
        : $"{ByteSize.Format(requestedBytes)} does not fit in what is left of the {budget} ({ByteSize.Format(limitBytes)}).";

    // What there is, who has the rest, and what can be done.
    private static string Describe(long requestedBytes, MemoryBudget refusing, string holders)
    {
        if (requestedBytes > refusing.LimitBytes)
        {
            return $"{Describe(requestedBytes, refusing.LimitBytes, refusing.Description)} {refusing.Advice}.";
        }

        string left = $"{ByteSize.Format(Math.Max(0, refusing.LimitBytes - refusing.ChargedBytes))} of {ByteSize.Format(refusing.LimitBytes)} are left";
        string others = refusing.IsWaitedFor ? ", and others wait for them" : string.Empty;
        string wait = refusing.IsReservation ? string.Empty : ", or wait for room with RentAsync or RentTimeout";
        return $"{ByteSize.Format(requestedBytes)} does not fit in the {refusing.Description}: {left}{others}. {(holders.Length == 0 ? string.Empty : holders + " ")}"
            + $"Dispose what is no longer needed{wait}. {refusing.Advice}.";
    }
}
