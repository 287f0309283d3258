namespace PixelPool.AspNetCore.Page;

/// <summary>A line of code, as reports name it: the method, and below it the file and the line. All of it is there for who points at it.</summary>
internal static class PlaceText
{
    private const string FileMark = " in ";
    private const string LineMark = ":line ";

    public static void Write(HtmlWriter html, string? place)
    {
        if (place is null)
        {
            html.Add($"""<span class="muted">a place that was not recorded</span>""");
            return;
        }

        int file = place.LastIndexOf(FileMark, StringComparison.Ordinal);
        html.Add($"""<code title="{place}">{(file < 0 ? place : place[..file])}</code>""");
        if (file >= 0)
        {
            string path = place[(file + FileMark.Length)..];
            html.Add($"""<code class="file">{path[(path.LastIndexOfAny(['/', '\\']) + 1)..].Replace(LineMark, ":", StringComparison.Ordinal)}</code>""");
        }
    }
}
