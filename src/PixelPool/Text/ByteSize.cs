using System.Globalization;

namespace PixelPool;

/// <summary>Writes a number of bytes as a person reads it: <c>1.5 MiB</c>.</summary>
internal static class ByteSize
{
    // No field: what a lack of memory is told with must not be the first to run an initializer.
    private const string Units = "BKMGTPE";

    public static string Format(long bytes)
    {
        double value = bytes;
        int unit = 0;
        while (Math.Abs(value) >= 1024)
        {
            value /= 1024;
            unit++;
        }

        return value.ToString("0.##", CultureInfo.InvariantCulture) + " " + Units[unit] + (unit == 0 ? string.Empty : "iB");
    }
}
