using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PixelPool.Tests.Buffers;

/// <summary>A value for every pixel: unique from 3 bytes on, and scattered below, so that no row, column or block looks like another.</summary>
internal static class PixelPattern
{
    public static TPixel Value<TPixel>(int x, int y)
        where TPixel : unmanaged
    {
        // Unique for images of less than 2¹² columns, or of few rows.
        uint index = y < 16 ? (uint)((x << 4) | y) : ((uint)y << 12 | (uint)x) + 0x80_0000;
        UInt128 scattered = new(index * 0x9E37_79B9_7F4A_7C15, ((ulong)index * 0xD1B5_4A32_D192_ED03) >> 7);
        TPixel pixel = default;
        Span<byte> bytes = MemoryMarshal.AsBytes(new Span<TPixel>(ref pixel));
        MemoryMarshal.AsBytes(new Span<UInt128>(ref scattered)).Slice(16 - bytes.Length).CopyTo(bytes);
        if (bytes.Length > 2)
        {
            bytes[0] = (byte)index;
            bytes[1] = (byte)(index >> 8);
            bytes[2] = (byte)(index >> 16);
        }

        return pixel;
    }

    public static void Write<TPixel>(PixelBuffer<TPixel> buffer)
        where TPixel : unmanaged =>
        buffer.ProcessPixelRows(static accessor =>
        {
            for (int y = 0; y < accessor.Height; y++)
            {
                Span<TPixel> row = accessor.GetRowSpan(y);
                for (int x = 0; x < row.Length; x++)
                {
                    row[x] = Value<TPixel>(x, y);
                }
            }
        });

    /// <summary>The pixels of an image, or of a rectangle of it, row by row.</summary>
    public static TPixel[] Expected<TPixel>(int width, int height, int x = 0, int y = 0)
        where TPixel : unmanaged
    {
        var pixels = new TPixel[width * height];
        for (int i = 0; i < pixels.Length; i++)
        {
            pixels[i] = Value<TPixel>(x + (i % width), y + (i / width));
        }

        return pixels;
    }

    /// <summary>Checks the pixels of an image against those at the same place of a larger one.</summary>
    public static void AssertHolds<TPixel>(PixelBuffer<TPixel> buffer, int x = 0, int y = 0)
        where TPixel : unmanaged =>
        AssertRows(buffer, Expected<TPixel>(buffer.Width, buffer.Height, x, y));

    /// <summary>Checks the pixels of an image, row by row.</summary>
    public static void AssertRows<TPixel>(PixelBuffer<TPixel> buffer, TPixel[] expected)
        where TPixel : unmanaged =>
        buffer.ProcessPixelRows(expected, static (accessor, expected) =>
        {
            for (int y = 0; y < accessor.Height; y++)
            {
                AssertSame(expected.AsSpan(y * accessor.Width, accessor.Width), accessor.GetRowSpan(y), y);
            }
        });

    public static void AssertSame<TPixel>(ReadOnlySpan<TPixel> expected, ReadOnlySpan<TPixel> actual, int row = 0)
        where TPixel : unmanaged
    {
        Assert.Equal(expected.Length, actual.Length);
        if (!MemoryMarshal.AsBytes(expected).SequenceEqual(MemoryMarshal.AsBytes(actual)))
        {
            int at = MemoryMarshal.AsBytes(expected).CommonPrefixLength(MemoryMarshal.AsBytes(actual)) / Unsafe.SizeOf<TPixel>();
            Assert.Fail($"Pixel {at} of row {row} is {actual[at]}, not {expected[at]}.");
        }
    }

    /// <summary>Sets every byte.</summary>
    public static void Fill<TPixel>(PixelBuffer<TPixel> buffer, byte value)
        where TPixel : unmanaged =>
        buffer.ProcessPixelRows(value, static (accessor, value) =>
        {
            foreach (Span<TPixel> row in accessor)
            {
                MemoryMarshal.AsBytes(row).Fill(value);
            }
        });

    public static void AssertEveryByte<TPixel>(PixelBuffer<TPixel> buffer, byte value)
        where TPixel : unmanaged =>
        buffer.ProcessPixelRows(value, static (accessor, value) =>
        {
            for (int y = 0; y < accessor.Height; y++)
            {
                int other = MemoryMarshal.AsBytes(accessor.GetRowSpan(y)).IndexOfAnyExcept(value);
                if (other >= 0)
                {
                    Assert.Fail($"Byte {other} of row {y} is {MemoryMarshal.AsBytes(accessor.GetRowSpan(y))[other]}, not {value}.");
                }
            }
        });
}
