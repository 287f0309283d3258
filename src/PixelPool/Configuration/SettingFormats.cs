using System.Globalization;

namespace PixelPool.Configuration;

/// <summary>The formats there are.</summary>
internal static class SettingFormats
{
    /// <summary>Bytes: <c>314572800</c>, <c>300M</c>, <c>1.5G</c>.</summary>
    public static SettingFormat<long> Size { get; } = new(ParseSize, "a size: decimal bytes, or a decimal number with K, M or G (of 1,024)");

    /// <summary>Yes or no.</summary>
    public static SettingFormat<bool> Switch { get; } = new(ParseSwitch, "0, 1, true or false");

    /// <summary>Seconds, <c>00:00:30</c>, or <c>infinite</c>.</summary>
    public static SettingFormat<TimeSpan> Duration { get; } = new(ParseDuration, "a duration: decimal seconds, hours:minutes:seconds, or infinite");

    public static SettingFormat<LeakTracking> LeakTracking { get; } = new(ParseLeakTracking, "Off, Sampled or Full");

    private static long? ParseSize(string text)
    {
        int power = text.Length == 0 ? 0 : 1 + "KMG".IndexOf(char.ToUpperInvariant(text[text.Length - 1]));
        string number = power == 0 ? text : text.Substring(0, text.Length - 1);
        if (!decimal.TryParse(number, power == 0 ? NumberStyles.None : NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value))
        {
            return null;
        }

        // What no long can hold is more than any memory, and no range allows it.
        decimal factor = 1L << (10 * power);
        return value > long.MaxValue / factor ? long.MaxValue : (long)(value * factor);
    }

    private static bool? ParseSwitch(string text) => text.ToUpperInvariant() switch
    {
        "1" or "TRUE" => true,
        "0" or "FALSE" => false,
        _ => null,
    };

    private static TimeSpan? ParseDuration(string text)
    {
        if (string.Equals(text, "infinite", StringComparison.OrdinalIgnoreCase))
        {
            return Timeout.InfiniteTimeSpan;
        }

        if (decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal seconds))
        {
            return seconds > TimeSpan.MaxValue.Ticks / TimeSpan.TicksPerSecond
                ? TimeSpan.MaxValue
                : TimeSpan.FromTicks((long)(seconds * TimeSpan.TicksPerSecond));
        }

        // Exactly: otherwise 24:00:00 would be 24 days.
        return TimeSpan.TryParseExact(text, "c", CultureInfo.InvariantCulture, out TimeSpan duration) ? duration : null;
    }

    private static LeakTracking? ParseLeakTracking(string text) => text.ToUpperInvariant() switch
    {
        "OFF" => PixelPool.LeakTracking.Off,
        "SAMPLED" => PixelPool.LeakTracking.Sampled,
        "FULL" => PixelPool.LeakTracking.Full,
        _ => null,
    };
}
