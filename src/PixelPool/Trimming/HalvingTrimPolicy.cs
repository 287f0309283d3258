using System.Globalization;

namespace PixelPool.Trimming;

/// <summary>A fixed fraction per period.</summary>
internal sealed class HalvingTrimPolicy(TimeSpan period, double rate) : TrimPolicy
{
    internal override TimeSpan? Period { get; } = period;

    /// <summary>A timer's longest time: uint.MaxValue − 1 milliseconds.</summary>
    public static bool IsPeriod(TimeSpan value) => value > TimeSpan.Zero && value.TotalMilliseconds < uint.MaxValue;

    public static bool IsRate(double value) => value is > 0 and <= 1;

    internal override int Due(int idle, int unused) => (int)Math.Ceiling(idle * rate);

    /// <inheritdoc/>
    public override string ToString() => string.Format(CultureInfo.InvariantCulture, "Halving({0}, {1})", Period, rate);
}
