using System.Text;

namespace PixelPool.Diagnostics.Drawing;

/// <summary>The <c>d</c> attribute of a line along the samples, without the points that nobody could see.</summary>
internal static class ChartLine
{
    /// <summary>How wide a line is that has a single point.</summary>
    private const double Dot = 6;

    /// <summary>Of the samples in one column of pixels the highest is drawn: no peak is lost. Points in the middle of a level stretch are left out.</summary>
    public static string Along(IReadOnlyList<MemorySample> samples, ChartAxis time, ChartAxis bytes, Func<MemorySample, long> value)
    {
        var path = new StringBuilder();
        List<(double X, double Y)> points = Highest(samples, time, bytes, value);
        for (int i = 0; i < points.Count; i++)
        {
            (double x, double y) = points[i];
            if (i > 0 && i < points.Count - 1 && points[i - 1].Y == y && points[i + 1].Y == y)
            {
                continue;
            }

            path.Append(FormattableString.Invariant($"{(i == 0 ? 'M' : 'L')}{x} {y}"));
        }

        return points.Count == 1 ? path.Append(FormattableString.Invariant($"h{Dot}")).ToString() : path.ToString();
    }

    /// <summary>The same, closed along the bottom.</summary>
    public static string Area(IReadOnlyList<MemorySample> samples, ChartAxis time, ChartAxis bytes, Func<MemorySample, long> value)
    {
        double left = Rounded(time.At(samples[0].Elapsed.TotalSeconds));
        return FormattableString.Invariant($"{Along(samples, time, bytes, value)}V{Rounded(bytes.At(0))}H{left}Z");
    }

    private static List<(double X, double Y)> Highest(
        IReadOnlyList<MemorySample> samples, ChartAxis time, ChartAxis bytes, Func<MemorySample, long> value)
    {
        var points = new List<(double X, double Y)>();
        foreach (MemorySample sample in samples)
        {
            (double X, double Y) point = (Rounded(time.At(sample.Elapsed.TotalSeconds)), Rounded(bytes.At(value(sample))));
            if (points.Count < 2 || Math.Floor(points[points.Count - 1].X) != Math.Floor(point.X))
            {
                points.Add(point);
            }
            else if (point.Y < points[points.Count - 1].Y)
            {
                points[points.Count - 1] = point;
            }
        }

        return points;
    }

    private static double Rounded(double position) => Math.Round(position, 1);
}
