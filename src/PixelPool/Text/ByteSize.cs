using System.Globalization;

namespace PixelPool;

/// <summary>Writes a number of bytes as a person reads it: <c>1.5 MiB</c>.</summary>
internal static class ByteSize
{
    // No field: what a lack of memory is told with must not be the first to run an initializer.
    private const string Units = "KMGTPE";

    public static string Format(long bytes)
    {
        double value = Math.Abs((double)bytes);
        if (value < 1024)
        {
            return bytes.ToString(CultureInfo.InvariantCulture) + " B";
        }

        int unit = -1;
        while (value >= 1024 && unit < Units.Length - 1)
        {
            value /= 1024;
            unit++;
        }

        return (bytes < 0 ? -value : value).ToString("0.##", CultureInfo.InvariantCulture) + " " + Units[unit] + "iB";
    }
}
