using System.Globalization;
using System.Text;

namespace PixelPool.Native;

/// <summary>Files of /proc and /sys, which are opened whenever their figures are wanted. One that cannot be read, for want of a free descriptor, too, says nothing that time.</summary>
internal static class KernelFile
{
    /// <returns>None when it cannot be read: kernels refuse some files that they have, and files of groups that are gone.</returns>
    public static string[] ReadLines(string path)
    {
        try
        {
            // Without a reader of text: it would be the first to need tasks, maybe where managed memory has run out.
            return File.Exists(path) ? Encoding.UTF8.GetString(File.ReadAllBytes(path)).Split('\n') : [];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return [];
        }
    }

    /// <summary>Reads the whole number that follows <paramref name="key"/> at the start of a line; without a key, that of a file that is one number.</summary>
    /// <returns>Null when it cannot be read, or is something else, such as <c>max</c>.</returns>
    public static long? TryReadNumber(string path, string key = "")
    {
        string? line = Array.Find(ReadLines(path), line => line.StartsWith(key, StringComparison.Ordinal));
        string[] words = line?.Substring(key.Length).Split([' ', '.'], StringSplitOptions.RemoveEmptyEntries) ?? [];
        return words.Length != 0 && long.TryParse(words[0], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number) ? number : null;
    }
}
