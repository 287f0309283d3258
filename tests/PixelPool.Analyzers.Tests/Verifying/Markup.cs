using Microsoft.CodeAnalysis.Text;

namespace PixelPool.Analyzers.Tests.Verifying;

/// <summary>Source in which <c>[|…|]</c> stands around what is to be reported.</summary>
internal sealed class Markup
{
    public Markup(string marked)
    {
        var spans = new List<TextSpan>();
        string text = marked;
        for (int start = text.IndexOf("[|", StringComparison.Ordinal); start >= 0; start = text.IndexOf("[|", StringComparison.Ordinal))
        {
            int end = text.IndexOf("|]", StringComparison.Ordinal) - 2;
            text = text.Remove(start, 2).Remove(end, 2);
            spans.Add(TextSpan.FromBounds(start, end));
        }

        (Text, Spans) = (text, spans);
    }

    /// <summary>The source without the marks.</summary>
    public string Text { get; }

    public IReadOnlyList<TextSpan> Spans { get; }

    /// <summary>Text with marks around these places.</summary>
    public static string Mark(string text, IEnumerable<TextSpan> spans) => spans
        .OrderByDescending(static span => span.Start)
        .Aggregate(text, static (marked, span) => marked.Insert(span.End, "|]").Insert(span.Start, "[|"));
}
