namespace PixelPool.Stress.Drawing;

/// <summary>Maps values to positions so that equal ratios are equal distances.</summary>
internal sealed class LogAxis(double min, double max, double start, double end)
{
    /// <summary>From the power of ten below the smallest value to the one above the largest.</summary>
    public static LogAxis ForDecades(double smallest, double largest, double start, double end) => new(
        Math.Pow(10, Math.Floor(Math.Log10(smallest))), Math.Pow(10, Math.Ceiling(Math.Log10(largest))), start, end);

    public double At(double value) => start + ((end - start) * Math.Log(value / min) / Math.Log(max / min));

    /// <summary>The powers of ten.</summary>
    public IEnumerable<double> Decades()
    {
        for (int power = (int)Math.Round(Math.Log10(min)); power <= (int)Math.Round(Math.Log10(max)); power++)
        {
            yield return Math.Pow(10, power);
        }
    }
}
