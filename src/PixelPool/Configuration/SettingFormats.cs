using System.Globalization;

namespace PixelPool.Configuration;

/// <summary>The formats there are.</summary>
internal static class SettingFormats
{
    /// <summary>Another format, or null.</summary>
    public static SettingFormat<T?> OrNull<T>(SettingFormat<T> format)
        where T : struct => (string? text, out T? value) =>
    {
        string? problem = format(text, out T read);
        value = problem is null ? read : null;
        return text is null ? null : problem;
    };

    /// <summary>Bytes: <c>314572800</c>, <c>300M</c>, <c>300Mi</c>, <c>1.5G</c>.</summary>
    public static string? Size(string? text, out long value)
    {
        value = 0;
        text ??= string.Empty;

        // Containers have limits in Mi, which is M here.
        int end = text.Length - (text.EndsWith("iB", StringComparison.OrdinalIgnoreCase) ? 2 : text.EndsWith("i", StringComparison.OrdinalIgnoreCase) ? 1 : 0);
        int power = end == 0 ? 0 : 1 + "KMG".IndexOf(char.ToUpperInvariant(text[end - 1]));
        string number = power == 0 ? text : text.Substring(0, end - 1);
        decimal factor = 1L << (10 * power);
        if (!decimal.TryParse(number, power == 0 ? NumberStyles.None : NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal count)
            || count > long.MaxValue / factor)
        {
            return "a size of less than 8 EiB: decimal bytes, or a decimal number with K, M or G (of 1,024), such as 300M or 300Mi";
        }

        value = (long)(count * factor);
        return null;
    }

    /// <summary>How many: <c>1000</c>.</summary>
    public static string? Count(string? text, out int value) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) ? null : "a whole number of at most 2147483647, in digits";

    /// <summary>Yes or no.</summary>
    public static string? Switch(string? text, out bool value)
    {
        value = text == "1" || IsCalled(text, "true");
        return value || text == "0" || IsCalled(text, "false") ? null : "0, 1, true or false";
    }

    /// <summary>Seconds, <c>00:00:30</c>, or <c>infinite</c>.</summary>
    public static string? Duration(string? text, out TimeSpan value)
    {
        if (IsCalled(text, "infinite"))
        {
            value = Timeout.InfiniteTimeSpan;
            return null;
        }

        if (decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal seconds))
        {
            value = seconds > TimeSpan.MaxValue.Ticks / TimeSpan.TicksPerSecond
                ? TimeSpan.MaxValue
                : TimeSpan.FromTicks((long)(seconds * TimeSpan.TicksPerSecond));
            return null;
        }

        // Exactly: otherwise 24:00:00 would be 24 days, 0:30 half an hour, and -5 five days.
        bool isExact = TimeSpan.TryParseExact(text, "c", CultureInfo.InvariantCulture, out value);
        return isExact && text!.Split(':').Length == 3 ? null : "a duration: decimal seconds, hours:minutes:seconds, or infinite";
    }

    /// <summary>The name of a value, and no number.</summary>
    public static string? OneOf<T>(string? text, out T value)
        where T : struct, Enum
    {
        string[] names = typeof(T).GetEnumNames();
        value = default;
        return Array.Find(names, name => IsCalled(text, name)) is { } called && Enum.TryParse(called, out value)
            ? null
            : $"{string.Join(", ", names.Take(names.Length - 1))} or {names[names.Length - 1]}";
    }

    /// <summary>As policies write themselves: <c>Demand</c>, <c>None</c>, <c>Halving(00:01:00, 0.5)</c>.</summary>
    public static string? TrimPolicy(string? text, out TrimPolicy value)
    {
        value = IsCalled(text, "None") ? PixelPool.TrimPolicy.None : PixelPool.TrimPolicy.Demand;
        if (value == PixelPool.TrimPolicy.None || IsCalled(text, "Demand"))
        {
            return null;
        }

        const string Begin = "Halving(";
        bool isHalving = text?.StartsWith(Begin, StringComparison.OrdinalIgnoreCase) == true && text[text.Length - 1] == ')';
        string[] figures = isHalving ? text!.Substring(Begin.Length, text.Length - Begin.Length - 1).Split(',') : [];
        if (figures.Length != 2
            || Duration(figures[0].Trim(), out TimeSpan period) is not null
            || !double.TryParse(figures[1].Trim(), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double rate)
            || !PixelPool.TrimPolicy.IsPeriod(period)
            || !PixelPool.TrimPolicy.IsRate(rate))
        {
            return "Demand, None or Halving(period, rate), such as Halving(60, 0.5): a duration of at most 49 days, and the fraction to give back, at most 1";
        }

        value = PixelPool.TrimPolicy.Halving(period, rate);
        return null;
    }

    /// <summary>Any text that has letters, or null.</summary>
    public static string? Name(string? text, out string? value)
    {
        value = text;
        return text is null || !string.IsNullOrWhiteSpace(text) ? null : "a name: it is empty";
    }

    private static bool IsCalled(string? text, string name) => string.Equals(text, name, StringComparison.OrdinalIgnoreCase);
}
