namespace PixelPool.Diagnostics.Text;

/// <summary>Writes how many there are of something: <c>1 leak</c>, <c>2 leaks</c>.</summary>
internal static class Plural
{
    public static string Of(long count, string one) => FormattableString.Invariant($"{count} {one}{(count == 1 ? string.Empty : "s")}");
}
