namespace LoadResizeSave.Codecs.Png;

/// <summary>What reader and writer both know.</summary>
internal static class PngFormat
{
    /// <summary>Deflate cannot pack tighter than this; a header that promises more is a lie.</summary>
    public const int MaxCompressionRatio = 1032;

    public static ReadOnlySpan<byte> Signature => [0x89, (byte)'P', (byte)'N', (byte)'G', 0x0D, 0x0A, 0x1A, 0x0A];
}
