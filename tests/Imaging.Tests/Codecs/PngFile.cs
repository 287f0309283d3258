using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;

namespace Imaging.Tests.Codecs;

/// <summary>Puts PNG files together by the letter of the specification, sound or not; shares no code with the sample.</summary>
internal sealed record PngFile
{
    public uint Width { get; init; } = 1;

    public uint Height { get; init; } = 1;

    public byte BitDepth { get; init; } = 8;

    public byte ColorType { get; init; } = 2;

    public byte Compression { get; init; }

    public byte Filtering { get; init; }

    public byte Interlacing { get; init; }

    /// <summary>The name of a chunk before the header, where there must be none.</summary>
    public string? FirstChunk { get; init; }

    public byte[]? Palette { get; init; }

    public byte[]? Transparency { get; init; }

    /// <summary>The rows, each with the byte before it that names its filter.</summary>
    public byte[] Rows { get; init; } = [0, 10, 20, 30];

    /// <summary>The rows as they are in the file, when that is not <see cref="Rows"/> compressed.</summary>
    public byte[]? ImageData { get; init; }

    /// <summary>Into how many chunks the compressed rows are cut.</summary>
    public int ImageDataChunks { get; init; } = 1;

    public bool HasEnd { get; init; } = true;

    public static byte[] Compressed(byte[] rows, CompressionLevel level = CompressionLevel.Fastest)
    {
        using var compressed = new MemoryStream();
        using (var deflate = new ZLibStream(compressed, level))
        {
            deflate.Write(rows);
        }

        return compressed.ToArray();
    }

    public byte[] ToArray()
    {
        byte[] header = new byte[13];
        BinaryPrimitives.WriteUInt32BigEndian(header, Width);
        BinaryPrimitives.WriteUInt32BigEndian(header.AsSpan(4), Height);
        (header[8], header[9], header[10], header[11], header[12]) = (BitDepth, ColorType, Compression, Filtering, Interlacing);

        byte[] imageData = ImageData ?? Compressed(Rows);
        int chunkBytes = Math.Max(1, (imageData.Length + ImageDataChunks - 1) / Math.Max(1, ImageDataChunks));
        return
        [
            .. (byte[])[0x89, .. "PNG"u8, 0x0D, 0x0A, 0x1A, 0x0A],
            .. FirstChunk is null ? [] : Chunk(FirstChunk, new byte[16]),
            .. Chunk("IHDR", header),
            .. Chunk("tEXt", Encoding.ASCII.GetBytes("Comment\0a chunk nobody needs")),
            .. Palette is null || ColorType is 0 or 4 ? [] : Chunk("PLTE", Palette),
            .. Transparency is null ? [] : Chunk("tRNS", Transparency),
            .. ImageDataChunks == 0 ? [] : imageData.Chunk(chunkBytes).SelectMany(part => Chunk("IDAT", part)),
            .. Chunk("tIME", [7, 230, 1, 2, 3, 4, 5]),
            .. HasEnd ? Chunk("IEND", []) : [],
        ];
    }

    public static uint Checksum(IEnumerable<byte> bytes)
    {
        uint crc = uint.MaxValue;
        foreach (byte value in bytes)
        {
            crc ^= value;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc >> 1) ^ ((crc & 1) * 0xEDB88320);
            }
        }

        return ~crc;
    }

    private static byte[] Chunk(string type, byte[] data)
    {
        byte[] named = [.. Encoding.ASCII.GetBytes(type), .. data];
        byte[] chunk = [0, 0, 0, 0, .. named, 0, 0, 0, 0];
        BinaryPrimitives.WriteInt32BigEndian(chunk, data.Length);
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(chunk.Length - 4), Checksum(named));
        return chunk;
    }
}
