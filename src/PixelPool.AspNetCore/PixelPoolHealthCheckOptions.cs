namespace PixelPool.AspNetCore;

/// <summary>When the health check of PixelPool reports a problem. The values are validated once, when the check is added.</summary>
public sealed class PixelPoolHealthCheckOptions
{
    /// <summary>
    /// The check is degraded while a request has waited longer than this for budget. Zero: while any request waits. <see cref="Timeout.InfiniteTimeSpan"/>: never.
    /// Default: 5 seconds.
    /// </summary>
    public TimeSpan DegradedWait { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The check is unhealthy while a request has waited longer than this for budget. Zero: while any request waits. <see cref="Timeout.InfiniteTimeSpan"/>: never.
    /// Default: 30 seconds.
    /// </summary>
    public TimeSpan UnhealthyWait { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long the check is degraded after it found more leaks than before. Zero: leaks do not matter. <see cref="Timeout.InfiniteTimeSpan"/>: until the process
    /// ends. Default: 10 minutes.
    /// </summary>
    public TimeSpan LeakWindow { get; set; } = TimeSpan.FromMinutes(10);

    internal void Validate()
    {
        Check(nameof(DegradedWait), DegradedWait);
        Check(nameof(UnhealthyWait), UnhealthyWait);
        Check(nameof(LeakWindow), LeakWindow);
    }

    private static void Check(string option, TimeSpan time)
    {
        if (time < TimeSpan.Zero && time != Timeout.InfiniteTimeSpan)
        {
            throw new ArgumentOutOfRangeException(option, time, "A time is zero or more, or Timeout.InfiniteTimeSpan.");
        }
    }
}
