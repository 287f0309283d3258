namespace PixelPool.Budgets;

/// <summary>What those are told whom a budget refuses.</summary>
internal static class BudgetRefusal
{
    /// <param name="refusing">The budget that has no room.</param>
    /// <param name="requestedBytes">Bytes the request would have held.</param>
    /// <param name="holders">Who holds most, in a sentence. Empty when nobody knows.</param>
    /// <param name="waited">How long it waited, if it did, and the option that says so.</param>
    public static PixelBudgetExceededException Of(MemoryBudget refusing, long requestedBytes, string holders, (TimeSpan Limit, string Option)? waited) =>
        new(requestedBytes, refusing.LimitBytes, refusing.Description, Describe(refusing, requestedBytes, holders, waited)) { Waited = waited?.Limit };

    // What there is, who has the rest, and what can be done.
    private static string Describe(MemoryBudget refusing, long requestedBytes, string holders, (TimeSpan Limit, string Option)? waited)
    {
        if (requestedBytes > refusing.RoomBytes)
        {
            return $"{PixelBudgetExceededException.Describe(requestedBytes, refusing.RoomBytes, refusing.Description)} {refusing.Advice}.";
        }

        long leftBytes = Math.Max(0, refusing.RoomBytes - refusing.ChargedBytes);
        bool isWaitedFor = refusing.IsWaitedFor;
        string left = $"{ByteSize.Format(leftBytes)} of {ByteSize.Format(refusing.LimitBytes)} is left{(isWaitedFor ? ", and others wait for it" : string.Empty)}.";
        string size = ByteSize.Format(requestedBytes);
        string time = waited is { } given ? FormattableString.Invariant($" within {given.Limit.TotalSeconds:0.###} s ({given.Option})") : string.Empty;

        // Others may have returned something since.
        if (leftBytes >= requestedBytes && !isWaitedFor)
        {
            return $"{size} did not fit in the {refusing.Description}{time}. By now it would fit: {left} Try again.";
        }

        string verb = waited is null ? "does" : "did";
        string wait = refusing.IsReservation || waited is not null ? string.Empty : ", or wait for room: set RentTimeout, or await the method that ends in Async if there is one";
        return $"{size} {verb} not fit in the {refusing.Description}{time}: {left} {(holders.Length == 0 ? string.Empty : holders + " ")}"
            + $"Dispose what is no longer needed{wait}. {refusing.Advice}.";
    }
}
