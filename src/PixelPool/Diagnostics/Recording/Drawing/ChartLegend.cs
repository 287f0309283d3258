namespace PixelPool.Diagnostics.Drawing;

/// <summary>What the symbols mean: only those that there are, in rows that are as long as the chart.</summary>
internal sealed class ChartLegend
{
    private const int TextOffset = 30;
    private const int Gap = 16;
    private const double FontSize = 12.5;

    private readonly List<(string Symbol, string Text, double X, int Row)> _entries = [];
    private readonly double _left;
    private readonly double _right;
    private double _x;

    public ChartLegend(double left, double right)
    {
        _left = left;
        _right = right;
        _x = left;
    }

    /// <summary>Symbol, text and place of each entry.</summary>
    public IReadOnlyList<(string Symbol, string Text, double X, int Row)> Entries => _entries;

    public int Rows { get; private set; } = 1;

    public void AddSeries(bool hasPool)
    {
        Add("""<path class="resident" d="M0 -4H22"/>""", "resident (the system's count)");
        if (hasPool)
        {
            Add("""<rect class="rented" y="-10" width="22" height="12" rx="2"/>""", "rented");
            Add("""<rect class="idle" y="-10" width="22" height="12" rx="2"/>""", "idle in the pool");
        }
    }

    public void AddBudget(long bytes, bool isShown) =>
        Add("""<path class="budget" d="M0 -4H22"/>""", $"budget: {ByteSize.Format(bytes)}{(isShown ? string.Empty : ", far above")}");

    public void AddMark(MarkKind kind)
    {
        switch (kind)
        {
            case MarkKind.Trim:
                Add("""<path class="trim" d="M5 -9h12l-6 10z"/>""", "given back to the system");
                break;
            case MarkKind.Wait:
                Add("""<rect class="wait" x="2" y="-8" width="18" height="7" rx="3.5"/>""", "requests wait for budget");
                break;
            default:
                Add("""<path class="leak" d="M7 -8l8 8m0 -8l-8 8"/>""", "leaked: a finalizer returned it");
                break;
        }
    }

    private void Add(string symbol, string text)
    {
        double width = TextOffset + SvgText.Width(text, FontSize);
        if (_x + width > _right)
        {
            _x = _left;
            Rows++;
        }

        _entries.Add((symbol, text, Math.Round(_x), Rows - 1));
        _x += width + Gap;
    }
}
