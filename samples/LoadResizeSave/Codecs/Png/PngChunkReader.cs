using System.Buffers.Binary;

namespace LoadResizeSave.Codecs.Png;

/// <summary>Walks over the chunks of a file in memory: length, name, data, checksum, and the next.</summary>
internal sealed class PngChunkReader(ReadOnlyMemory<byte> file)
{
    private const int BytesBeforeData = 8;
    private const int ChecksumBytes = 4;

    private ReadOnlyMemory<byte> _rest = file[PngFormat.Signature.Length..];

    public PngChunk Next()
    {
        ReadOnlySpan<byte> rest = _rest.Span;
        if (rest.Length < BytesBeforeData + ChecksumBytes)
        {
            throw EndsTooEarly();
        }

        uint length = BinaryPrimitives.ReadUInt32BigEndian(rest);
        if (length > rest.Length - BytesBeforeData - ChecksumBytes)
        {
            throw EndsTooEarly();
        }

        int end = BytesBeforeData + (int)length;
        uint checksum = BinaryPrimitives.ReadUInt32BigEndian(rest[end..]);
        if (checksum != Crc32.Of(rest[ChecksumBytes..end]))
        {
            throw new InvalidDataException("A checksum is wrong: the file is damaged.");
        }

        var chunk = new PngChunk(BinaryPrimitives.ReadUInt32BigEndian(rest[4..]), _rest[BytesBeforeData..end]);
        _rest = _rest[(end + ChecksumBytes)..];
        return chunk;
    }

    private static InvalidDataException EndsTooEarly() => new("The file ends in the middle of a chunk.");
}
