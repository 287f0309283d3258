using PixelPool.Diagnostics.Sampling;

namespace PixelPool.Diagnostics;

/// <summary>How a <see cref="MemoryRecorder"/> records. Plain values: they are read once, when it is started.</summary>
public sealed class MemoryRecorderOptions
{
    /// <summary>
    /// Time from one sample to the next. At least 1 ms, at most 24 days. Default: 10 ms. It doubles whenever the recording is full, so that a recording of
    /// hours takes no more memory than one of seconds.
    /// </summary>
    public TimeSpan Period { get; set; } = TimeSpan.FromMilliseconds(10);

    /// <summary>The source of the clock and the timer. Default: <see cref="TimeProvider.System"/>.</summary>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Resident bytes of the process, replaceable in tests.</summary>
    internal Func<long> ResidentBytes { get; set; } = ResidentMemory.Current;

    /// <exception cref="ArgumentOutOfRangeException">A value is outside of its range.</exception>
    /// <exception cref="ArgumentNullException">A value is null that must not be.</exception>
    internal void Validate()
    {
        if (TimeProvider is null)
        {
            throw new ArgumentNullException(nameof(TimeProvider));
        }

        if (Period < TimeSpan.FromMilliseconds(1) || Period.TotalMilliseconds > int.MaxValue)
        {
            throw new ArgumentOutOfRangeException(nameof(Period), Period, $"{nameof(Period)} must be 1 ms to 24 days.");
        }
    }
}
