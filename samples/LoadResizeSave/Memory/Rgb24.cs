using System.Runtime.InteropServices;

namespace LoadResizeSave.Memory;

/// <summary>The pixel everything here is made of: red, green, blue, a byte each.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct Rgb24(byte r, byte g, byte b)
{
    public byte R = r;
    public byte G = g;
    public byte B = b;
}
