namespace PixelPool.Diagnostics.Drawing;

/// <summary>What the symbols mean, in rows between two edges.</summary>
internal sealed class Legend(double left, double right)
{
    /// <summary>From the baseline of a row to that of the next.</summary>
    public const int RowHeight = 24;

    private const int TextOffset = 30;
    private const int Gap = 18;
    private const double FontSize = 12.5;

    private readonly List<(string Symbol, string Text, double X, int Row)> _entries = [];
    private double _offset;

    public int Rows { get; private set; } = 1;

    public void AddArea(string classes, string text) => Add($"""<rect class="{classes}" y="-10" width="22" height="12" rx="2"/>""", text);

    public void AddLine(string classes, string text) => Add($"""<path class="{classes}" d="M0 -4H22"/>""", text);

    /// <param name="symbol">Its markup: 22 pixels wide, from the baseline of the text up.</param>
    /// <param name="text">What it means.</param>
    public void Add(string symbol, string text)
    {
        double width = TextOffset + SvgText.Width(text, FontSize);
        if (left + _offset + width > right)
        {
            _offset = 0;
            Rows++;
        }

        _entries.Add((symbol, text, Math.Round(left + _offset), Rows - 1));
        _offset += width + Gap;
    }

    /// <summary>With the baseline of the first row at <paramref name="y"/>.</summary>
    public void Draw(SvgDrawing svg, double y)
    {
        foreach ((string symbol, string text, double x, int row) in _entries)
        {
            svg.Add($"""<g transform="translate({x} {y + (row * RowHeight)})">{symbol}<text class="label" x="{TextOffset}">{SvgText.Escape(text)}</text></g>""");
        }
    }
}
