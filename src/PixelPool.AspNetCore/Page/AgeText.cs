using PixelPool.Diagnostics.Text;

namespace PixelPool.AspNetCore.Page;

/// <summary>How long something has lasted, without fractions of milliseconds.</summary>
internal static class AgeText
{
    public static string Format(TimeSpan age) => HumanTime.Format(TimeSpan.FromMilliseconds(Math.Round(age.TotalMilliseconds)));
}
