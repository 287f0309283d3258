using System.Buffers;
using Imaging.Codecs.Jpeg;

namespace ThumbnailService.Load.Firing;

/// <summary>A photo, and the thumbnail that all answers must agree on.</summary>
internal sealed class Target(byte[] file, JpegHeader header)
{
    private byte[]? _thumbnail;

    public byte[] File => file;

    public long Pixels => (long)header.Width * header.Height;

    public bool IsProgressive => header.CoefficientBytes > 0;

    /// <summary>The first answer is remembered: every other one must be the same, byte for byte.</summary>
    public bool Accepts(byte[] thumbnail)
    {
        if (thumbnail is not [0xFF, 0xD8, ..])
        {
            return false;
        }

        byte[]? first = Interlocked.CompareExchange(ref _thumbnail, thumbnail, null);
        return first is null || first.AsSpan().SequenceEqual(thumbnail);
    }

    public static IReadOnlyList<Target> LoadAll(string folder) =>
        [.. Directory.EnumerateFiles(folder, "*.jpg").Order(StringComparer.Ordinal).Select(Load)];

    private static Target Load(string path)
    {
        byte[] file = System.IO.File.ReadAllBytes(path);
        return JpegHeaderReader.TryRead(new ReadOnlySequence<byte>(file), out JpegHeader header)
            ? new Target(file, header)
            : throw new InvalidDataException($"{path} is not a JPEG file.");
    }
}
