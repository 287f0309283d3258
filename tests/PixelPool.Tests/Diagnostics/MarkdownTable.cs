using System.Runtime.CompilerServices;

namespace PixelPool.Tests.Diagnostics;

/// <summary>The rows of a table in <c>docs/metrics.md</c>.</summary>
internal static class MarkdownTable
{
    /// <returns>The cells of each row below a header that begins with <paramref name="firstHeader"/>, without back-ticks.</returns>
    public static string[][] Read(string firstHeader)
    {
        string[][] rows = [.. File.ReadLines(Page())
            .SkipWhile(line => !line.StartsWith($"| {firstHeader} |", StringComparison.Ordinal))
            .Skip(2)
            .TakeWhile(static line => line.StartsWith('|'))
            .Select(static line => line.Replace("`", string.Empty, StringComparison.Ordinal).Split('|')[1..^1].Select(static cell => cell.Trim()).ToArray())];
        Assert.NotEmpty(rows);
        return rows;
    }

    /// <summary>All of the page in one line.</summary>
    public static string ReadText() => string.Join(' ', File.ReadLines(Page()));

    private static string Page([CallerFilePath] string thisFile = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(thisFile)!, "..", "..", "..", "docs", "metrics.md"));
}
