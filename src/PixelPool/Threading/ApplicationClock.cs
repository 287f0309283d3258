namespace PixelPool.Threading;

/// <summary>Reads the application's <see cref="TimeProvider"/> for those who must not fail with it.</summary>
internal static class ApplicationClock
{
    /// <param name="time">The application's clock.</param>
    /// <param name="now">Time since a moment that stays the same.</param>
    /// <returns>What the application threw, or null.</returns>
    public static Exception? Read(TimeProvider time, out TimeSpan now)
    {
        try
        {
            long frequency = time.TimestampFrequency;
            long seconds = Math.DivRem(time.GetTimestamp(), frequency, out long rest);
            now = TimeSpan.FromTicks((seconds * TimeSpan.TicksPerSecond) + (rest * TimeSpan.TicksPerSecond / frequency));
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
