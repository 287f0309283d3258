using System.Globalization;
using System.Text;

namespace PixelPool.Diagnostics.Drawing;

/// <summary>Text that may stand in any XML file, whatever its encoding.</summary>
internal static class SvgText
{
    /// <summary>
    /// Escapes what XML would take for markup, writes what is not ASCII as a reference, and replaces what XML does not allow at all.
    /// </summary>
    public static string Escape(string text)
    {
        var escaped = new StringBuilder(text.Length);
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            if (c is '&' or '<' or '>' or '"' or '\'')
            {
                AppendReference(escaped, c);
            }
            else if (c is >= ' ' and < '\u007F')
            {
                escaped.Append(c);
            }
            else if (char.IsSurrogatePair(text, i))
            {
                AppendReference(escaped, char.ConvertToUtf32(text, i++));
            }
            else if (c is '\t' or '\n' or '\r')
            {
                escaped.Append(' ');
            }
            else
            {
                AppendReference(escaped, c < ' ' || char.IsSurrogate(c) || c is '\uFFFE' or '\uFFFF' ? '\uFFFD' : c);
            }
        }

        return escaped.ToString();
    }

    /// <summary>At most this many characters: what is cut off ends in an ellipsis.</summary>
    public static string Shorten(string text, int length)
    {
        if (text.Length <= length)
        {
            return text;
        }

        int end = char.IsHighSurrogate(text[length - 2]) ? length - 2 : length - 1;
        return $"{text.Substring(0, end)}…";
    }

    /// <summary>About how many pixels wide a text is: no viewer's fonts are known here, so that is a guess on the wide side.</summary>
    public static double Width(string text, double fontSize) => fontSize * text.Sum(static c => c switch
    {
        'f' or 'i' or 'j' or 'l' or 'r' or 't' or 'I' or ' ' or '.' or ',' or ':' or ';' or '\'' or '(' or ')' => 0.41,
        'm' or 'w' or 'M' or 'W' => 0.98,
        >= 'A' and <= 'Z' => 0.72,
        >= '\u1100' => 1, // letters of East Asia are as wide as they are high
        _ => 0.63,
    });

    private static void AppendReference(StringBuilder text, int codePoint) =>
        text.Append("&#").Append(codePoint.ToString(CultureInfo.InvariantCulture)).Append(';');
}
