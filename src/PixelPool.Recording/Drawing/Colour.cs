namespace PixelPool.Diagnostics.Drawing;

/// <summary>A colour for paper, and what it is on a dark screen.</summary>
internal readonly record struct Colour(string Light, string Dark)
{
    public static readonly Colour Paper = new("#ffffff", "#12171e");
    public static readonly Colour Border = new("#d9dee5", "#36404d");
    public static readonly Colour Ink = new("#1d2733", "#e8edf3");
    public static readonly Colour Muted = new("#5c6878", "#9aa7b6");
    public static readonly Colour Grid = new("#edf0f3", "#222a34");
    public static readonly Colour Frame = new("#aab4c0", "#4a5665");
    public static readonly Colour Shade = new("#f2f4f7", "#1b222c");
    public static readonly Colour Blue = new("#2f7dd1", "#3f8ade");
    public static readonly Colour PaleBlue = new("#a9cdf0", "#24486d");
    public static readonly Colour Teal = new("#0f9488", "#2dd4bf");
    public static readonly Colour Green = new("#15803d", "#4ade80");
    public static readonly Colour Amber = new("#d97706", "#fbbf24");
    public static readonly Colour Orange = new("#c2410c", "#fb923c");
    public static readonly Colour Red = new("#dc2626", "#f87171");
    public static readonly Colour Violet = new("#7c3aed", "#b79bff");
    public static readonly Colour Grey = new("#6b7280", "#a3adb9");
}
