using System.Runtime.InteropServices;
using Imaging.Memory;

namespace Imaging.Codecs.Png;

/// <summary>Red, green, blue and alpha, a byte each.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal readonly struct Rgba32
{
    private readonly byte _r;
    private readonly byte _g;
    private readonly byte _b;
    private readonly byte _alpha;

    /// <summary>Thumbnails have no transparency: what shows through is paper.</summary>
    public Rgb24 OverWhite() => new(Lay(_r), Lay(_g), Lay(_b));

    private byte Lay(byte sample) => (byte)(255 - ((((255 - sample) * _alpha) + 127) / 255));
}
