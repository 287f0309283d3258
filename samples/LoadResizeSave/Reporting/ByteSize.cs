namespace LoadResizeSave.Reporting;

/// <summary>Bytes as people read them.</summary>
internal static class ByteSize
{
    public const long Mebibyte = 1024 * 1024;

    public static string Text(long bytes) => bytes switch
    {
        < 1024 => $"{bytes} B",
        < Mebibyte => $"{bytes / 1024.0:0.#} KiB",
        < 10 * Mebibyte => $"{(double)bytes / Mebibyte:0.0} MiB",
        _ => $"{(double)bytes / Mebibyte:0} MiB",
    };
}
