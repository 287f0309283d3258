namespace LoadResizeSave.Codecs.Png;

/// <summary>The four letters of a chunk's name as one number.</summary>
internal static class PngChunkType
{
    public const uint Header = 0x49484452;
    public const uint Palette = 0x504C5445;
    public const uint Transparency = 0x74524E53;
    public const uint ImageData = 0x49444154;
    public const uint End = 0x49454E44;
}
