using System.Buffers.Binary;
using System.IO.Compression;

namespace PixelPool.AspNetCore.Tests.Infrastructure;

/// <summary>As much of PNG as the picture of a browser needs: 8 bits, red, green, blue and perhaps alpha.</summary>
internal sealed class PngPicture
{
    private readonly int _width;
    private readonly int _pixelBytes;
    private readonly byte[] _firstRow;

    public PngPicture(byte[] file)
    {
        using var compressed = new MemoryStream();
        for (int at = 8; at < file.Length;)
        {
            int length = BinaryPrimitives.ReadInt32BigEndian(file.AsSpan(at));
            ReadOnlySpan<byte> content = file.AsSpan(at + 8, length);
            if (file.AsSpan(at + 4, 4).SequenceEqual("IHDR"u8))
            {
                _width = BinaryPrimitives.ReadInt32BigEndian(content);
                _pixelBytes = content[9] == 6 ? 4 : 3;
            }
            else if (file.AsSpan(at + 4, 4).SequenceEqual("IDAT"u8))
            {
                compressed.Write(content);
            }

            at += length + 12;
        }

        compressed.Position = 0;
        using var pixels = new ZLibStream(compressed, CompressionMode.Decompress);
        _firstRow = new byte[1 + (_width * _pixelBytes)];
        pixels.ReadExactly(_firstRow);
    }

    /// <summary>Red, green and blue of the upper left corner. The first pixel is the same under every filter of a first row.</summary>
    public (byte Red, byte Green, byte Blue) Corner => (_firstRow[1], _firstRow[2], _firstRow[3]);
}
