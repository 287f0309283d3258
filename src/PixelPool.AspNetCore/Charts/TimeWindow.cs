using PixelPool.Diagnostics.Drawing;
using PixelPool.Diagnostics.Text;

namespace PixelPool.AspNetCore.Charts;

/// <summary>The time that a chart shows, which ends now: as short as it can be with all samples in it.</summary>
/// <param name="oldestSeconds">How old the oldest sample is.</param>
/// <param name="left">Where the window begins, in pixels.</param>
/// <param name="right">Where it ends, now.</param>
internal sealed class TimeWindow(double oldestSeconds, double left, double right)
{
    // As long as the last one are the samples that are kept.
    private static readonly (double Seconds, int Parts)[] s_windows = [(60, 6), (180, 6), (300, 5), (600, 5)];

    private readonly (double Seconds, int Parts) _window = s_windows.FirstOrDefault(window => window.Seconds >= oldestSeconds, s_windows[^1]);

    public IEnumerable<AxisMark> Marks
    {
        get
        {
            for (int part = _window.Parts; part >= 0; part--)
            {
                double ago = _window.Seconds * part / _window.Parts;
                yield return new AxisMark(At(ago), part == 0 ? "now" : $"{HumanTime.Format(TimeSpan.FromSeconds(ago)).Replace(" 0 s", string.Empty, StringComparison.Ordinal)} ago");
            }
        }
    }

    public double At(double secondsAgo) => Math.Max(left, right - ((right - left) * secondsAgo / _window.Seconds));
}
