using PixelPool.Diagnostics.Text;

namespace PixelPool.Diagnostics.Drawing;

/// <summary>Values from 0 on: equal differences are equal distances.</summary>
/// <param name="max">The largest value: more than 0.</param>
/// <param name="step">From one labelled mark to the next.</param>
/// <param name="start">The position of 0.</param>
/// <param name="end">The position of the largest value.</param>
/// <param name="label">What stands at a mark.</param>
internal sealed class LinearAxis(double max, double step, double start, double end, Func<double, string> label) : Axis(start, end)
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

    public override IEnumerable<AxisMark> Marks
    {
        get
        {
            for (int i = 0; i * step <= max * 1.000001; i++)
            {
                yield return new AxisMark(At(i * step), label(i * step));
            }
        }
    }

    /// <summary>Marks at powers of two; the axis ends at one of them, above the highest value by what a label needs.</summary>
    public static LinearAxis ForBytes(long highest, double start, double end)
    {
        double max = Math.Max(1.07 * highest, 1 << 20);
        double step = 1 << 16;
        while (step * MaxByteMarks < max)
        {
            step *= 2;
        }

        return new LinearAxis(Math.Ceiling(max / step) * step, step, start, end, static bytes => ByteSize.Format((long)bytes));
    }

    /// <summary>At most <paramref name="maxMarks"/> round marks in one unit, and one at 0; the axis ends where the time does.</summary>
    public static LinearAxis ForTime(TimeSpan duration, double start, double end, int maxMarks = MaxTimeMarks)
    {
        double max = Math.Max(duration.TotalSeconds, 0.001);
        double step = s_timeSteps.FirstOrDefault(step => step * maxMarks >= max);
        if (step == 0)
        {
            step = s_timeSteps[s_timeSteps.Length - 1];
            while (step * maxMarks < max)
            {
                step *= 2;
            }
        }

        (double unit, string name) = step >= Hour ? (Hour, "h") : step >= Minute ? (Minute, "min") : max >= 1 ? (1, "s") : (0.001, "ms");
        return new LinearAxis(max, step, start, end, seconds => seconds == 0 ? "0" : FormattableString.Invariant($"{seconds / unit:0.##} {name}"));
    }

    protected override double Share(double value) => value / max;
}
