using System.Buffers.Binary;

namespace LoadResizeSave.Codecs.Png;

/// <summary>Puts length and name before a chunk's data, and the checksum behind.</summary>
internal static class PngChunkWriter
{
    public static void Write(Stream destination, uint type, ReadOnlySpan<byte> data)
    {
        Span<byte> number = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(number, data.Length);
        destination.Write(number);

        BinaryPrimitives.WriteUInt32BigEndian(number, type);
        destination.Write(number);
        uint checksum = Crc32.Continue(Crc32.Of(number), data);

        destination.Write(data);
        BinaryPrimitives.WriteUInt32BigEndian(number, checksum);
        destination.Write(number);
    }
}
