namespace LoadResizeSave.Codecs.Png;

/// <summary>What the samples of a pixel mean; the values are those of the file format.</summary>
internal enum PngColorType : byte
{
    Grey = 0,
    Rgb = 2,
    Palette = 3,
    GreyAlpha = 4,
    Rgba = 6,
}
