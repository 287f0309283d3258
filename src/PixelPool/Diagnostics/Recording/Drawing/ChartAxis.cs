namespace PixelPool.Diagnostics.Drawing;

/// <summary>Maps values from 0 to <paramref name="max"/> to positions from <paramref name="start"/> to <paramref name="end"/>.</summary>
/// <param name="max">More than 0.</param>
/// <param name="step">From one labelled mark to the next.</param>
/// <param name="start">The position of 0.</param>
/// <param name="end">The position of the largest value.</param>
/// <param name="label">What stands at a mark.</param>
internal sealed class ChartAxis(double max, double step, double start, double end, Func<double, string> label)
{
    private const int MaxByteMarks = 7;
    private const int MaxTimeMarks = 8;
    private const double Minute = 60;
    private const double Hour = 3600;

    // In seconds. Longer ones are doubled days.
    private static readonly double[] s_timeSteps =
    [
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30,
        Minute, 2 * Minute, 5 * Minute, 10 * Minute, 20 * Minute, 30 * Minute, Hour, 2 * Hour, 3 * Hour, 6 * Hour, 12 * Hour, 24 * Hour,
    ];

    /// <summary>Marks at powers of two; the axis ends at one of them, above the highest value by what a label needs.</summary>
    public static ChartAxis ForBytes(long highest, double start, double end)
    {
        double max = Math.Max(1.07 * highest, 1 << 20);
        double step = 1 << 16;
        while (step * MaxByteMarks < max)
        {
            step *= 2;
        }

        return new ChartAxis(Math.Ceiling(max / step) * step, step, start, end, static bytes => ByteSize.Format((long)bytes));
    }

    /// <summary>Ends where the samples do.</summary>
    public static ChartAxis ForTime(TimeSpan duration, double start, double end)
    {
        double max = Math.Max(duration.TotalSeconds, 0.001);
        double step = s_timeSteps.FirstOrDefault(step => step * MaxTimeMarks >= max);
        if (step == 0)
        {
            step = s_timeSteps[s_timeSteps.Length - 1];
            while (step * MaxTimeMarks < max)
            {
                step *= 2;
            }
        }

        (double unit, string name) = step >= Hour ? (Hour, "h") : step >= Minute ? (Minute, "min") : max >= 1 ? (1, "s") : (0.001, "ms");
        return new ChartAxis(max, step, start, end, seconds => seconds == 0 ? "0" : FormattableString.Invariant($"{seconds / unit:0.##} {name}"));
    }

    public double At(double value) => start + ((end - start) * value / max);

    public IEnumerable<(double Position, string Label)> Marks()
    {
        for (int i = 0; i * step <= max * 1.000001; i++)
        {
            yield return (At(i * step), label(i * step));
        }
    }
}
