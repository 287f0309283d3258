namespace Architecture.Tests.Rules;

/// <summary>Lines of folders, the highest first.</summary>
internal sealed class Layers(params string[][] lines)
{
    public IEnumerable<string> Folders => lines.SelectMany(static line => line);

    /// <summary>Whether one folder stands in a line above that of the other. A folder that stands in no line is above nobody and below nobody.</summary>
    public bool IsAbove(string folder, string other) => LineOf(folder) < LineOf(other);

    private int? LineOf(string folder) => Array.FindIndex(lines, line => line.Contains(folder)) is >= 0 and int line ? line : null;
}
