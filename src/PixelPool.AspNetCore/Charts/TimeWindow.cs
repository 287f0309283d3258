using PixelPool.Diagnostics.Drawing;
using PixelPool.Diagnostics.Text;

namespace PixelPool.AspNetCore.Charts;

/// <summary>The time that a chart shows, which ends now: as short as it can be with all samples in it.</summary>
/// <param name="oldestSeconds">How old the oldest sample is.</param>
/// <param name="left">Where the window begins, in pixels.</param>
/// <param name="right">Where it ends, now.</param>
internal sealed class TimeWindow(double oldestSeconds, double left, double right)
{
    private const int Parts = 5;

    private static readonly double[] s_seconds = [60, 150, 300];

    private readonly double _seconds = s_seconds.FirstOrDefault(seconds => seconds >= oldestSeconds, 600);

    public IEnumerable<AxisMark> Marks
    {
        get
        {
            for (int part = Parts; part >= 0; part--)
            {
                double ago = _seconds * part / Parts;
                yield return new AxisMark(At(ago), part == 0 ? "now" : $"{HumanTime.Format(TimeSpan.FromSeconds(ago)).Replace(" 0 s", string.Empty, StringComparison.Ordinal)} ago");
            }
        }
    }

    public double At(double secondsAgo) => Math.Max(left, right - ((right - left) * secondsAgo / _seconds));
}
