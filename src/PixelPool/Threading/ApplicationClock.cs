namespace PixelPool.Threading;

/// <summary>Reads the application's <see cref="TimeProvider"/> . Those who must not fail with it get what it throws as a value.</summary>
internal static class ApplicationClock
{
    /// <summary>Time since a moment that stays the same. Throws what the application throws.</summary>
    public static TimeSpan Read(TimeProvider time) => ToTime(time, time.GetTimestamp());

    /// <summary>A timestamp as time since a moment that stays the same. Throws what the application throws.</summary>
    public static TimeSpan ToTime(TimeProvider time, long timestamp)
    {
        long frequency = time.TimestampFrequency;
        long seconds = Math.DivRem(timestamp, frequency, out long rest);
        return TimeSpan.FromTicks((seconds * TimeSpan.TicksPerSecond) + (rest * TimeSpan.TicksPerSecond / frequency));
    }

    /// <param name="time">The application's clock.</param>
    /// <param name="now">Time since a moment that stays the same.</param>
    /// <returns>What the application threw, or null.</returns>
    public static Exception? Read(TimeProvider time, out TimeSpan now)
    {
        try
        {
            now = Read(time);
            return null;
        }
#pragma warning disable CA1031 // whatever the application throws
        catch (Exception failure)
        {
            now = TimeSpan.Zero;
            return failure;
        }
#pragma warning restore CA1031
    }
}
