namespace PixelPool.Stress.Drawing;

/// <summary>Maps values from 0 to <paramref name="max"/> to positions from <paramref name="start"/> to <paramref name="end"/>.</summary>
internal sealed class Axis(double max, double step, double start, double end)
{
    private const int MaxMarks = 7;

    /// <summary>For bytes, in MiB: marks at 1, 2, 4, 8 … MiB, and the axis ends at a mark.</summary>
    public static Axis ForMebibytes(double max, double start, double end)
    {
        double step = 1;
        while (step * MaxMarks < max)
        {
            step *= 2;
        }

        return new Axis(Math.Ceiling(max / step) * step, step, start, end);
    }

    /// <summary>For time: marks at 0.1, 0.2, 0.5, 1, 2, 5 … seconds, and the axis ends where the samples do.</summary>
    public static Axis ForSeconds(double max, double start, double end)
    {
        double step = 0.1;
        for (int i = 0; step * MaxMarks < max; i++)
        {
            step *= i % 3 == 1 ? 2.5 : 2;
        }

        return new Axis(max, step, start, end);
    }

    public double At(double value) => start + ((end - start) * value / max);

    public IEnumerable<double> Marks()
    {
        for (int i = 0; i * step <= max; i++)
        {
            yield return i * step;
        }
    }
}
