using System.Buffers.Text;

namespace Imaging.Codecs.Ppm;

/// <summary>What stands before the pixels; <paramref name="Length"/> is where those begin.</summary>
internal readonly record struct PpmHeader(int Width, int Height, int MaxValue, int Length)
{
    public static PpmHeader Read(ReadOnlySpan<byte> file)
    {
        int position = 2;
        int width = ReadNumber(file, ref position);
        int height = ReadNumber(file, ref position);
        int maxValue = ReadNumber(file, ref position);

        // Exactly one white space: the next byte may be a pixel that looks like another.
        return position < file.Length && IsWhiteSpace(file[position])
            ? new PpmHeader(width, height, maxValue, position + 1)
            : throw new InvalidDataException("The header does not end.");
    }

    private static int ReadNumber(ReadOnlySpan<byte> file, ref int position)
    {
        int start = position;
        while (position < file.Length && (IsWhiteSpace(file[position]) || file[position] == '#'))
        {
            if (file[position] == '#')
            {
                int lineEnd = file[position..].IndexOf((byte)'\n');
                position = lineEnd < 0 ? file.Length : position + lineEnd;
            }
            else
            {
                position++;
            }
        }

        if (position == start || !Utf8Parser.TryParse(file[position..], out int number, out int digits))
        {
            throw new InvalidDataException("The header is not three numbers.");
        }

        position += digits;
        return number;
    }

    private static bool IsWhiteSpace(byte value) => value is (byte)' ' or >= (byte)'\t' and <= (byte)'\r';
}
