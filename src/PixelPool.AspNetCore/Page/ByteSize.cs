namespace PixelPool.AspNetCore.Page;

/// <summary>Sizes on the page, written as those of the recorder. The library has a class of the same name, which does not round.</summary>
internal static class ByteSize
{
    public static string FormatRounded(long bytes) => Diagnostics.Text.ByteSize.FormatRounded(bytes);
}
