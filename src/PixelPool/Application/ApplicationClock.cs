using PixelPool.Accounts;

namespace PixelPool.Application;

/// <summary>Reads the application's <see cref="TimeProvider"/>, as time since a moment that stays the same.</summary>
/// <param name="listener">Told what the clock throws.</param>
/// <param name="time">The application's clock.</param>
internal sealed class ApplicationClock(IMemoryListener listener, TimeProvider time)
{
    // 7,300 years. So the difference of any two readings is a TimeSpan, too, whatever the clock says.
    private const long MostSeconds = long.MaxValue / 4 / TimeSpan.TicksPerSecond;

    /// <summary>For those who must not fail with the clock. Never throws: the listener is told what the application threw.</summary>
    /// <returns>Null when the clock does not say.</returns>
    public TimeSpan? TryRead()
    {
        try
        {
            return ToTime(time.GetTimestamp());
        }
#pragma warning disable CA1031 // whatever the application throws
        catch (Exception failure)
        {
            listener.OnApplicationFailed("TimeProvider.GetTimestamp", failure);
            return null;
        }
#pragma warning restore CA1031
    }

    /// <summary>What a timestamp of the clock says. Throws what the application throws.</summary>
    public TimeSpan ToTime(long timestamp)
    {
        long frequency = time.TimestampFrequency;
        long seconds = Math.DivRem(timestamp, frequency, out long rest);
        seconds = Math.Max(-MostSeconds, Math.Min(seconds, MostSeconds));
        return TimeSpan.FromTicks((seconds * TimeSpan.TicksPerSecond) + (long)(rest * ((double)TimeSpan.TicksPerSecond / frequency)));
    }
}
