namespace PixelPool.AspNetCore.Page;

/// <summary>A line of code, as reports name it: the method on one line, file and line below it.</summary>
internal static class PlaceText
{
    private const string FileMark = " in ";

    public static void Write(HtmlWriter html, string? place)
    {
        int file = place?.LastIndexOf(FileMark, StringComparison.Ordinal) ?? -1;
        if (place is null)
        {
            html.Add($"""<span class="muted">a place that was not recorded</span>""");
        }
        else if (file < 0)
        {
            html.Add($"""<code>{place}</code>""");
        }
        else
        {
            html.Add($"""<code>{place[..file]}</code><code class="file">{place[(file + FileMark.Length)..]}</code>""");
        }
    }
}
