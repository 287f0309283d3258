namespace PixelPool.Tests.Diagnostics.Metrics;

/// <summary>What the instruments have to say of an allocator with these statistics.</summary>
internal static class ExpectedMetrics
{
    public static IReadOnlyDictionary<string, double> Of(in PixelPoolStatistics statistics)
    {
        var expected = new Dictionary<string, double>
        {
            ["pixelpool.idle"] = statistics.IdleBytes,
            ["pixelpool.rented"] = statistics.RentedBytes,
            ["pixelpool.allocated"] = statistics.AllocatedBytes,
            ["pixelpool.released"] = statistics.ReleasedBytes,
            ["pixelpool.evicted timer"] = statistics.TrimmedByTimerBytes,
            ["pixelpool.evicted gen2"] = statistics.TrimmedByGen2Bytes,
            ["pixelpool.evicted pressure"] = statistics.TrimmedByPressureBytes,
            ["pixelpool.evicted request"] = statistics.TrimmedByRequestBytes,
            ["pixelpool.evicted out_of_memory"] = statistics.TrimmedByOutOfMemoryBytes,
            ["pixelpool.evicted budget"] = statistics.TrimmedByBudgetBytes,
            ["pixelpool.rents hit"] = statistics.Hits,
            ["pixelpool.rents miss"] = statistics.Misses,
            ["pixelpool.rents small"] = statistics.SmallRents,
            ["pixelpool.rents unpooled"] = statistics.UnpooledRents,
            ["pixelpool.leaks"] = statistics.LeakedCount,
            ["pixelpool.leaked"] = statistics.LeakedBytes,
            ["pixelpool.second_returns"] = statistics.SecondReturns,
            ["pixelpool.external"] = statistics.ExternalBytes,
            ["pixelpool.waiting"] = statistics.WaitingRents,
            ["pixelpool.longest_wait"] = statistics.LongestWait.TotalSeconds,
            ["pixelpool.long_waits"] = statistics.LongWaits,
            ["pixelpool.refusals"] = statistics.BudgetRefusals,
        };
        if (statistics.BudgetBytes is { } budget)
        {
            expected["pixelpool.budget"] = budget;
            expected["pixelpool.charged"] = statistics.ChargedBytes;
        }

        return expected;
    }

    /// <summary>The instruments whose values never fall.</summary>
    public static bool IsCounter(string metric) => metric.Split(' ')[0] is not ("pixelpool.idle" or "pixelpool.rented" or "pixelpool.waiting" or "pixelpool.longest_wait" or "pixelpool.budget" or "pixelpool.charged" or "pixelpool.external");
}
