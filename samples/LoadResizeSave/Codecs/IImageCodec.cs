using LoadResizeSave.Memory;

namespace LoadResizeSave.Codecs;

/// <summary>Reads and writes one file format. Codecs hold no state: all threads share them.</summary>
/// <remarks>
/// A broken file ends in <see cref="InvalidDataException"/>, a sound one that uses what is not supported here in
/// <see cref="NotSupportedException"/>; either way all memory taken so far has been given back.
/// </remarks>
internal interface IImageCodec
{
    string Name { get; }

    /// <summary>With the dot; the first one is used for writing.</summary>
    IReadOnlyList<string> Extensions { get; }

    /// <summary>What <see cref="Encode"/> needs its image to look like.</summary>
    PixelLayout EncodeLayout { get; }

    /// <summary>Whether <paramref name="file"/> starts the way files of this format do.</summary>
    bool Recognizes(ReadOnlySpan<byte> file);

    Image<Rgb24> Decode(ReadOnlyMemory<byte> file, ImageMemory memory);

    void Encode(Image<Rgb24> image, Stream destination, ImageMemory memory);
}
