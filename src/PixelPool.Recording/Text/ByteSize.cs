using System.Globalization;

namespace PixelPool.Diagnostics.Text;

/// <summary>Writes a number of bytes as a person reads it: <c>1.5 MiB</c>.</summary>
internal static class ByteSize
{
    private static readonly string[] s_units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

    public static string Format(long bytes) => Format(bytes, static _ => "0.##");

    /// <summary>To three digits, where more would only be noise: <c>1.25 GiB</c>, <c>61.3 MiB</c>, <c>312 MiB</c>.</summary>
    public static string FormatRounded(long bytes) => Format(bytes, static value => value >= 99.95 ? "0" : value >= 9.995 ? "0.#" : "0.##");

    private static string Format(long bytes, Func<double, string> format)
    {
        double value = Math.Abs((double)bytes);
        if (value < 1024)
        {
            return bytes.ToString(CultureInfo.InvariantCulture) + " B";
        }

        int unit = -1;
        while (value >= 1024 && unit < s_units.Length - 1)
        {
            value /= 1024;
            unit++;
        }

        return (bytes < 0 ? -value : value).ToString(format(value), CultureInfo.InvariantCulture) + " " + s_units[unit];
    }
}
