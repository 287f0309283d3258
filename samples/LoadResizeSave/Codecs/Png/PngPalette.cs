using LoadResizeSave.Memory;

namespace LoadResizeSave.Codecs.Png;

/// <summary>The colours that a palette image's bytes stand for, transparency already laid over white.</summary>
internal sealed class PngPalette
{
    private readonly Rgb24[] _colors;

    /// <summary><paramref name="transparency"/> has an alpha for the first colours, or is empty.</summary>
    public PngPalette(ReadOnlySpan<byte> colors, ReadOnlySpan<byte> transparency)
    {
        if (colors.Length is 0 or > 768 || colors.Length % 3 != 0 || transparency.Length > colors.Length / 3)
        {
            throw new InvalidDataException("The palette is broken.");
        }

        _colors = new Rgb24[colors.Length / 3];
        for (int i = 0; i < _colors.Length; i++)
        {
            byte alpha = i < transparency.Length ? transparency[i] : byte.MaxValue;
            _colors[i] = AlphaOverWhite.Lay(colors[3 * i], colors[(3 * i) + 1], colors[(3 * i) + 2], alpha);
        }
    }

    public Rgb24 this[byte index] => index < _colors.Length
        ? _colors[index]
        : throw new InvalidDataException("A pixel has a colour that is not in the palette.");
}
