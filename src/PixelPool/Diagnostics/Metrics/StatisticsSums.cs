namespace PixelPool.Diagnostics.Metrics;

/// <summary>Statistics of several allocators as if they were one: of what instruments measure.</summary>
internal static class StatisticsSums
{
    public static PixelPoolStatistics Plus(this in PixelPoolStatistics left, in PixelPoolStatistics right) => new()
    {
        RentedBytes = left.RentedBytes + right.RentedBytes,
        IdleBytes = left.IdleBytes + right.IdleBytes,
        AllocatedBytes = left.AllocatedBytes + right.AllocatedBytes,
        ReleasedBytes = left.ReleasedBytes + right.ReleasedBytes,
        Hits = left.Hits + right.Hits,
        Misses = left.Misses + right.Misses,
        SmallRents = left.SmallRents + right.SmallRents,
        UnpooledRents = left.UnpooledRents + right.UnpooledRents,
        LeakedCount = left.LeakedCount + right.LeakedCount,
        LeakedBytes = left.LeakedBytes + right.LeakedBytes,
        SecondReturns = left.SecondReturns + right.SecondReturns,
        BudgetBytes = left.BudgetBytes is null && right.BudgetBytes is null ? null : AddUp(left.BudgetBytes ?? 0, right.BudgetBytes ?? 0),
        ChargedBytes = left.ChargedBytes + right.ChargedBytes,
        ExternalBytes = left.ExternalBytes + right.ExternalBytes,
        WaitingRents = left.WaitingRents + right.WaitingRents,
        LongestWait = left.LongestWait > right.LongestWait ? left.LongestWait : right.LongestWait,
        LongWaits = left.LongWaits + right.LongWaits,
        BudgetRefusals = left.BudgetRefusals + right.BudgetRefusals,
        TrimmedByTimerBytes = left.TrimmedByTimerBytes + right.TrimmedByTimerBytes,
        TrimmedByGen2Bytes = left.TrimmedByGen2Bytes + right.TrimmedByGen2Bytes,
        TrimmedByPressureBytes = left.TrimmedByPressureBytes + right.TrimmedByPressureBytes,
        TrimmedByRequestBytes = left.TrimmedByRequestBytes + right.TrimmedByRequestBytes,
        TrimmedByOutOfMemoryBytes = left.TrimmedByOutOfMemoryBytes + right.TrimmedByOutOfMemoryBytes,
        TrimmedByBudgetBytes = left.TrimmedByBudgetBytes + right.TrimmedByBudgetBytes,
    };

    /// <summary>What stays of an allocator that is gone: it holds nothing, and what it counted remains true.</summary>
    public static PixelPoolStatistics AfterTheEnd(this in PixelPoolStatistics final) => final with
    {
        RentedBytes = 0,
        IdleBytes = 0,
        ChargedBytes = 0,
        ExternalBytes = 0,
        WaitingRents = 0,
        LongestWait = TimeSpan.Zero,
        BudgetBytes = final.BudgetBytes is null ? null : 0,
    };

    // The largest limit says that there is none: several of them are no more.
    private static long AddUp(long left, long right) => left > long.MaxValue - right ? long.MaxValue : left + right;
}
