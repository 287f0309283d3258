using LoadResizeSave.Memory;

namespace LoadResizeSave.Codecs.Png;

/// <summary>Thumbnails have no transparency: what shows through is paper.</summary>
internal static class AlphaOverWhite
{
    public static Rgb24 Lay(byte r, byte g, byte b, byte alpha) => new(Lay(r, alpha), Lay(g, alpha), Lay(b, alpha));

    private static byte Lay(byte sample, byte alpha) => (byte)(255 - ((((255 - sample) * alpha) + 127) / 255));
}
