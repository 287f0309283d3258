using Imaging.Memory;

namespace Imaging.Codecs;

/// <summary>Reads and writes one file format. Codecs hold no state: all threads share them.</summary>
/// <remarks>
/// A broken file ends in <see cref="InvalidDataException"/>; a sound one that uses what is not supported here, and every file where
/// <see cref="Library"/> is missing, in <see cref="NotSupportedException"/>; and where memory runs out, any in <see cref="OutOfMemoryException"/>.
/// All memory taken so far has been given back then.
/// </remarks>
public interface IImageCodec
{
    /// <summary>As a command line calls it.</summary>
    string Name { get; }

    /// <summary>With the dot; the first one is used for writing.</summary>
    IReadOnlyList<string> Extensions { get; }

    /// <summary>The native library that it works with; <see langword="null"/> when it needs none.</summary>
    CodecLibrary? Library { get; }

    /// <summary>Whether it can read and write on this computer.</summary>
    bool IsAvailable => Library is null or { IsAvailable: true };

    /// <summary>What <see cref="Encode"/> needs its image to look like.</summary>
    PixelLayout EncodeLayout { get; }

    /// <summary>Whether <paramref name="file"/> starts the way files of this format do.</summary>
    bool Recognizes(ReadOnlySpan<byte> file);

    /// <summary>The photo in <paramref name="file"/>, in memory that the caller gives back. What is transparent lies on white.</summary>
    Image<Rgb24> Decode(ReadOnlyMemory<byte> file, ImageMemory memory);

    /// <summary>Writes a whole file; <paramref name="memory"/> is for what that takes on the way.</summary>
    void Encode(Image<Rgb24> image, Stream destination, ImageMemory memory);
}
