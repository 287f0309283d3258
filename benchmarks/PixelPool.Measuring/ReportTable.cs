using System.Text;

namespace PixelPool.Measuring;

/// <summary>A Markdown table that also reads well as plain text: columns are padded, numbers stand to the right.</summary>
public sealed class ReportTable(params string[] headings)
{
    private readonly List<string[]> _rows = [];

    /// <summary>A row, with a cell for each heading.</summary>
    public void Add(params string[] cells) => _rows.Add(cells);

    /// <inheritdoc/>
    public override string ToString()
    {
        int[] widths = [.. headings.Select((heading, i) => _rows.Select(row => row[i].Length).Append(heading.Length).Append(3).Max())];
        var text = new StringBuilder();
        Append(text, headings, widths);
        text.AppendLine($"|-{string.Join("|", widths.Select((width, i) => i == 0 ? new string('-', width + 1) : new string('-', width) + "-:"))}|");
        foreach (string[] row in _rows)
        {
            Append(text, row, widths);
        }

        return text.ToString();
    }

    private static void Append(StringBuilder text, string[] cells, int[] widths) => text.AppendLine(
        $"| {string.Join(" | ", cells.Select((cell, i) => i == 0 ? cell.PadRight(widths[i]) : cell.PadLeft(widths[i])))} |");
}
