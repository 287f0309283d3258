using System.Numerics;

namespace Imaging.Photos.TestPhotos;

/// <summary>The colours of a landscape at some hour; red, green and blue between 0 and 1.</summary>
public sealed record Palette(
    Vector3 Zenith, Vector3 Horizon, Vector3 Sun, Vector3 Cloud, Vector3 Haze, Vector3 Rock, Vector3 Forest, Vector3 Water, float Light)
{
    /// <summary>Before the sun is high.</summary>
    public static Palette Dawn { get; } = new(
        Rgb(0x3B4F86), Rgb(0xF6B38C), Rgb(0xFFE2B0), Rgb(0xF7C9C0), Rgb(0xC9A5A8), Rgb(0x6B5A66), Rgb(0x2C3540), Rgb(0x2A3A55), 0.85f);

    /// <summary>Clear and bright.</summary>
    public static Palette Noon { get; } = new(
        Rgb(0x1F62B8), Rgb(0xB7D8F0), Rgb(0xFFFBEA), Rgb(0xFFFFFF), Rgb(0xA9C3DB), Rgb(0x857C70), Rgb(0x35521F), Rgb(0x14506E), 1.05f);

    /// <summary>The last light.</summary>
    public static Palette Dusk { get; } = new(
        Rgb(0x1D1E4A), Rgb(0xF0703C), Rgb(0xFFC46B), Rgb(0xB4567A), Rgb(0x7A4A68), Rgb(0x4A3A4C), Rgb(0x161A26), Rgb(0x1B1C3C), 0.7f);

    /// <summary>Grey.</summary>
    public static Palette Overcast { get; } = new(
        Rgb(0x8796A3), Rgb(0xD5DADB), Rgb(0xF4F4EE), Rgb(0xE9ECEE), Rgb(0xB4BFC4), Rgb(0x666B6C), Rgb(0x2F4034), Rgb(0x47585F), 0.8f);

    /// <summary>Yellow forests.</summary>
    public static Palette Autumn { get; } = new(
        Rgb(0x4A80B4), Rgb(0xF3E3C3), Rgb(0xFFF3D0), Rgb(0xFFF6E6), Rgb(0xC5BBA8), Rgb(0x8A7156), Rgb(0x8A4A16), Rgb(0x31525E), 0.95f);

    private static Vector3 Rgb(int hex) => new Vector3(hex >> 16, (hex >> 8) & 0xFF, hex & 0xFF) / 255f;
}
