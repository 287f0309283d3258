using System.Runtime.InteropServices;

namespace Imaging.Memory;

/// <summary>The pixel everything here is made of: red, green, blue, a byte each.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
public struct Rgb24(byte r, byte g, byte b)
{
    /// <summary>Red.</summary>
    public byte R = r;

    /// <summary>Green.</summary>
    public byte G = g;

    /// <summary>Blue.</summary>
    public byte B = b;
}
