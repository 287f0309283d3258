using System.Buffers.Binary;

namespace LoadResizeSave.Codecs.Png;

/// <summary>The checksum of PNG chunks (ISO 3309), eight bytes a step: a byte a step would cost as much as unfiltering.</summary>
internal static class Crc32
{
    private const uint Polynomial = 0xEDB88320;
    private const int Slices = 8;

    /// <summary>Table s, entry b: what byte b does to the checksum when s more bytes follow it.</summary>
    private static readonly uint[] s_tables = CreateTables();

    public static uint Of(ReadOnlySpan<byte> bytes) => Continue(0, bytes);

    /// <summary>The checksum of what gave <paramref name="checksum"/> followed by <paramref name="bytes"/>.</summary>
    public static uint Continue(uint checksum, ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<uint> tables = s_tables;
        uint crc = ~checksum;
        while (bytes.Length >= Slices)
        {
            uint low = crc ^ BinaryPrimitives.ReadUInt32LittleEndian(bytes);
            uint high = BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]);
            crc = tables[0x700 + (byte)low] ^ tables[0x600 + (byte)(low >> 8)]
                ^ tables[0x500 + (byte)(low >> 16)] ^ tables[0x400 + (byte)(low >> 24)]
                ^ tables[0x300 + (byte)high] ^ tables[0x200 + (byte)(high >> 8)]
                ^ tables[0x100 + (byte)(high >> 16)] ^ tables[(byte)(high >> 24)];
            bytes = bytes[Slices..];
        }

        foreach (byte value in bytes)
        {
            crc = tables[(byte)(crc ^ value)] ^ (crc >> 8);
        }

        return ~crc;
    }

    private static uint[] CreateTables()
    {
        uint[] tables = new uint[Slices * 256];
        for (uint value = 0; value < 256; value++)
        {
            uint crc = value;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc & 1) == 0 ? crc >> 1 : (crc >> 1) ^ Polynomial;
            }

            tables[value] = crc;
        }

        for (int i = 256; i < tables.Length; i++)
        {
            uint crc = tables[i - 256];
            tables[i] = tables[(byte)crc] ^ (crc >> 8);
        }

        return tables;
    }
}
