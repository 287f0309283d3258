namespace LoadResizeSave.Codecs.Png;

/// <summary>From which neighbours a row's bytes were predicted; the values are those of the file format.</summary>
internal enum PngFilterType : byte
{
    None = 0,
    Sub = 1,
    Up = 2,
    Average = 3,
    Paeth = 4,
}
