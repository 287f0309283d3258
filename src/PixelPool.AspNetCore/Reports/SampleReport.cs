namespace PixelPool.AspNetCore.Reports;

/// <summary>The memory at one moment.</summary>
/// <param name="SecondsAgo">When.</param>
/// <param name="ResidentBytes">Physical memory of the process.</param>
/// <param name="RentedBytes">Rented of the allocator.</param>
/// <param name="IdleBytes">Idle in its pool.</param>
/// <param name="WaitingRents">Requests that waited for its budget.</param>
/// <param name="LeakedCount">Leaks so far.</param>
internal sealed record SampleReport(double SecondsAgo, long ResidentBytes, long RentedBytes, long IdleBytes, long WaitingRents, long LeakedCount)
{
    public long HeldBytes => RentedBytes + IdleBytes;
}
