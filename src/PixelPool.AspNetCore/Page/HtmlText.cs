using System.Runtime.CompilerServices;

namespace PixelPool.AspNetCore.Page;

/// <summary>An interpolated string of markup. What stands in the source is markup, and every value is text, which is encoded: none can be forgotten.</summary>
[InterpolatedStringHandler]
internal readonly ref struct HtmlText
{
    private readonly HtmlWriter _writer;

    /// <param name="literalLength">Characters of markup.</param>
    /// <param name="formattedCount">Number of values.</param>
    /// <param name="writer">Gets both.</param>
    public HtmlText(int literalLength, int formattedCount, HtmlWriter writer)
    {
        _ = literalLength + formattedCount;
        _writer = writer;
    }

    public void AppendLiteral(string markup) => _writer.AppendMarkup(markup);

    public void AppendFormatted(string? text) => _writer.AppendText(text);

    public void AppendFormatted(long number) => _writer.AppendText(FormattableString.Invariant($"{number:N0}"));

    /// <summary>A position in a drawing, in pixels.</summary>
    public void AppendFormatted(double position) => _writer.AppendText(FormattableString.Invariant($"{position:0.#}"));
}
