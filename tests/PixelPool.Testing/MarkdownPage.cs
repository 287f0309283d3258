using System.Runtime.CompilerServices;

namespace PixelPool.Testing;

/// <summary>A page of the repository, for tests that compare it with what is true.</summary>
internal sealed class MarkdownPage(string path)
{
    private readonly string[] _lines = File.ReadAllLines(Path.Combine(Root(), path));

    /// <summary>The bodies of the fenced blocks of a language, in the order of the page.</summary>
    public List<string> Blocks(string language) => Bodies(_lines, "```" + language, "```");

    /// <summary>Whether the page has a table with this row. Spaces do not count.</summary>
    public bool HasRow(params string[] cells) =>
        _lines.Any(line => line.StartsWith('|') && line.Split('|')[1..^1].Select(static cell => cell.Trim()).SequenceEqual(cells));

    /// <summary>What stands between each line <paramref name="start"/> and the next line <paramref name="end"/>, not indented.</summary>
    public static List<string> Bodies(string[] lines, string start, string end)
    {
        var bodies = new List<string>();
        for (int i = 0; i < lines.Length; i++)
        {
            if (lines[i].Trim() == start)
            {
                string[] body = [.. lines.Skip(i + 1).TakeWhile(line => line.Trim() != end)];
                int indent = body.Where(static line => line.Length > 0).Min(static line => line.Length - line.TrimStart().Length);
                bodies.Add(string.Join('\n', body.Select(line => line.Length == 0 ? line : line[indent..])).Trim());
            }
        }

        return bodies;
    }

    /// <summary>The folder of the repository.</summary>
    public static string Root([CallerFilePath] string thisFile = "")
    {
        string folder = Path.GetDirectoryName(thisFile)!;
        while (!File.Exists(Path.Combine(folder, "PixelPool.sln")))
        {
            folder = Path.GetDirectoryName(folder) ?? throw new DirectoryNotFoundException($"{thisFile} is in no copy of the repository.");
        }

        return folder;
    }
}
