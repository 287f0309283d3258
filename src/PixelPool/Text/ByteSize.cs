using System.Globalization;

namespace PixelPool;

/// <summary>Writes a number of bytes as a person reads it: <c>1.5 MiB</c>.</summary>
internal static class ByteSize
{
    private static readonly string[] s_units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

    public static string Format(long bytes)
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

        return (bytes < 0 ? -value : value).ToString("0.##", CultureInfo.InvariantCulture) + " " + s_units[unit];
    }
}
