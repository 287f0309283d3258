using System.Globalization;

namespace PixelPool.Benchmarks.Tables;

/// <summary>Figures as people read them: three digits that count, and a unit.</summary>
internal static class Readable
{
    private static readonly string[] s_timeUnits = ["ns", "µs", "ms", "s"];
    private static readonly string[] s_byteUnits = ["B", "KiB", "MiB", "GiB"];

    public static string Time(double nanoseconds) => Scaled(nanoseconds, 1000, s_timeUnits);

    /// <summary>Exact where every byte counts.</summary>
    public static string Bytes(double bytes) =>
        bytes < 10_000 ? string.Create(CultureInfo.InvariantCulture, $"{Math.Round(bytes):#,0} B") : Scaled(bytes, 1024, s_byteUnits);

    public static string Count(double count) => count < 0.05 ? "0" : Digits(count);

    public static string Ratio(double ratio) =>
        ratio.ToString(ratio switch { < 0.1 => "0.000", < 10 => "0.00", < 100 => "0.0", _ => "#,0" }, CultureInfo.InvariantCulture);

    private static string Scaled(double value, double step, string[] units)
    {
        int unit = 0;
        while (unit < units.Length - 1 && value >= step)
        {
            value /= step;
            unit++;
        }

        return $"{Digits(value)} {units[unit]}";
    }

    private static string Digits(double value) =>
        value.ToString(value switch { < 10 => "0.##", < 100 => "0.#", _ => "#,0" }, CultureInfo.InvariantCulture);
}
