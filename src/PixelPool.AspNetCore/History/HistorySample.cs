namespace PixelPool.AspNetCore.History;

/// <summary>The memory of an allocator and of its process at one moment.</summary>
/// <param name="Timestamp">When, in units of the clock.</param>
/// <param name="ResidentBytes">Physical memory of the process.</param>
/// <param name="RentedBytes">Rented of the allocator.</param>
/// <param name="IdleBytes">Idle in its pool.</param>
/// <param name="WaitingRents">Requests that waited for its budget.</param>
/// <param name="LeakedCount">Leaks so far.</param>
internal readonly record struct HistorySample(long Timestamp, long ResidentBytes, long RentedBytes, long IdleBytes, long WaitingRents, long LeakedCount)
{
    public static HistorySample Of(long timestamp, long residentBytes, in PixelPoolStatistics statistics) =>
        new(timestamp, residentBytes, statistics.RentedBytes, statistics.IdleBytes, statistics.WaitingRents, statistics.LeakedCount);
}
