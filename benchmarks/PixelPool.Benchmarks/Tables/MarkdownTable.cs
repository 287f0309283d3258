using System.Text;

namespace PixelPool.Benchmarks.Tables;

/// <summary>A table in GitHub's Markdown, padded so that it reads well as text, too.</summary>
/// <param name="header">The heads of the columns.</param>
/// <param name="leftColumns">How many columns are text; those behind them are figures.</param>
internal sealed class MarkdownTable(string[] header, int leftColumns)
{
    private readonly List<string[]> _rows = [];

    public void Add(string[] row) => _rows.Add(row);

    public override string ToString()
    {
        int[] widths = [.. header.Select((head, i) => _rows.Select(row => row[i].Length).Append(head.Length).Append(3).Max())];
        var text = new StringBuilder();
        AppendRow(header);
        AppendRow([.. widths.Select((width, i) => new string('-', width - 1) + (i < leftColumns ? '-' : ':'))]);
        _rows.ForEach(AppendRow);
        return text.ToString();

        void AppendRow(string[] cells) => text.Append("| ").AppendJoin(" | ", cells.Select(Pad)).Append(" |\n");

        string Pad(string cell, int column) => column < leftColumns ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column]);
    }
}
