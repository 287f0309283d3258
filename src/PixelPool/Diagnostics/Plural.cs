namespace PixelPool;

/// <summary>Writes how many there are of something: <c>1 row</c>, <c>2 rows</c>.</summary>
internal static class Plural
{
    public static string Of(long count, string noun) => FormattableString.Invariant($"{count} {noun}{(count == 1 ? string.Empty : "s")}");
}
