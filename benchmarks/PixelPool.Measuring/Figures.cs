namespace PixelPool.Measuring;

/// <summary>Numbers as the tables show them: three digits are all that a measurement is worth.</summary>
public static class Figures
{
    /// <summary>Whole mebibytes, without the unit.</summary>
    public static string Mebibytes(long bytes) => $"{bytes / (double)(1 << 20):#,0}";

    /// <summary>A duration in the unit that fits it.</summary>
    public static string Nanoseconds(double value) => value switch
    {
        < 1e3 => $"{value:0} ns",
        < 1e6 => $"{ThreeDigits(value / 1e3)} µs",
        < 1e9 => $"{ThreeDigits(value / 1e6)} ms",
        _ => $"{ThreeDigits(value / 1e9)} s",
    };

    /// <summary>Any other number.</summary>
    public static string ThreeDigits(double value) => value switch
    {
        >= 100 => $"{value:#,0}",
        >= 10 => $"{value:0.0}",
        >= 1 => $"{value:0.00}",
        _ => $"{value:0.000}",
    };

    /// <summary>How many times as much.</summary>
    public static string Ratio(double value) => value < 0.1 ? $"{value:0.000} ×" : $"{value:0.00} ×";
}
