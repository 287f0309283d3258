using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Encodings.Web;

namespace PixelPool.AspNetCore.Page;

/// <summary>Writes HTML. There is no way to write a value as markup but the style of the page.</summary>
internal sealed class HtmlWriter
{
    private readonly StringBuilder _html = new();

    /// <summary>A line of markup, whose values are encoded.</summary>
    public void Add([InterpolatedStringHandlerArgument("")] HtmlText markup)
    {
        // It is written while it is put together: the handler has this writer.
        _ = markup;
        _html.Append('\n');
    }

    /// <summary>The element with the style, as it is.</summary>
    public void AddStyle() => _html.Append("<style>").Append(PageStyle.Text).Append("</style>\n");

    public void AppendMarkup(string markup) => _html.Append(markup);

    public void AppendText(string? text) => _html.Append(HtmlEncoder.Default.Encode(text ?? string.Empty));

    public override string ToString() => _html.ToString();
}
