using System.Text;

namespace PixelPool.Diagnostics.Drawing;

/// <summary>The <c>d</c> attribute of a line along points, in pixels.</summary>
internal static class PlotLine
{
    /// <summary>How wide a line is that has a single point.</summary>
    private const double Dot = 6;

    /// <summary>A line through all points, but for those in the middle of a level stretch.</summary>
    public static string Along(IEnumerable<(double X, double Y)> points)
    {
        (double X, double Y)[] rounded = [.. points.Select(static point => (Rounded(point.X), Rounded(point.Y)))];
        var path = new StringBuilder();
        for (int i = 0; i < rounded.Length; i++)
        {
            (double x, double y) = rounded[i];
            if (i > 0 && i < rounded.Length - 1 && rounded[i - 1].Y == y && rounded[i + 1].Y == y)
            {
                continue;
            }

            path.Append(FormattableString.Invariant($"{(i == 0 ? 'M' : 'L')}{x} {y}"));
        }

        return rounded.Length == 1 ? path.Append(FormattableString.Invariant($"h{Dot}")).ToString() : path.ToString();
    }

    /// <summary>The same, closed along <paramref name="bottom"/>.</summary>
    public static string Area(IReadOnlyList<(double X, double Y)> points, double bottom) =>
        FormattableString.Invariant($"{Along(points)}V{Rounded(bottom)}H{Rounded(points[0].X)}Z");

    /// <summary>The highest point of each column of pixels: the others could not be seen, and no peak is lost.</summary>
    public static List<(double X, double Y)> Highest(IEnumerable<(double X, double Y)> points)
    {
        var highest = new List<(double X, double Y)>();
        foreach ((double X, double Y) point in points)
        {
            if (highest.Count < 2 || Math.Floor(highest[highest.Count - 1].X) != Math.Floor(point.X))
            {
                highest.Add(point);
            }
            else if (point.Y < highest[highest.Count - 1].Y)
            {
                highest[highest.Count - 1] = point;
            }
        }

        return highest;
    }

    private static double Rounded(double position) => Math.Round(position, 1);
}
