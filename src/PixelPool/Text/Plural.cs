namespace PixelPool;

/// <summary>Writes how many there are of something: <c>1 row</c>, <c>2 rows</c>.</summary>
internal static class Plural
{
    /// <param name="count">How many.</param>
    /// <param name="one">What one of them is called.</param>
    /// <param name="many">What several are called; null when an s is all the difference.</param>
    public static string Of(long count, string one, string? many = null) =>
        FormattableString.Invariant($"{count} {(count == 1 ? one : many ?? one + "s")}");
}
