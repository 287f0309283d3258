namespace Imaging.Tests.Codecs;

/// <summary>Samples of 8 bits as they are before the compressor: what the specification says about filters, depths, interlacing and colours.</summary>
internal sealed record PngSamples(int Width, int Height, byte ColorType, byte[] Bytes)
{
    private const byte PaletteType = 3;

    /// <summary>The seven passes of an interlaced file: where in the picture each begins, and its distances.</summary>
    private static readonly (int X, int Y, int XStep, int YStep)[] s_passes =
        [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)];

    public int PixelBytes => ColorType switch
    {
        0 or PaletteType => 1,
        2 => 3,
        4 => 2,
        _ => 4,
    };

    private int RowBytes => Width * PixelBytes;

    /// <summary>Random ones, with 0 and 255 often enough to count.</summary>
    public static PngSamples Random(int width, int height, byte colorType, int seed)
    {
        var random = new Random(seed);
        var samples = new PngSamples(width, height, colorType, []);
        byte[] bytes = new byte[samples.RowBytes * height];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = (byte)Math.Clamp(random.Next(-8, 264), 0, 255);
        }

        return samples with { Bytes = bytes };
    }

    /// <summary>The rows with the filters that <paramref name="filterOf"/> names.</summary>
    public byte[] Filtered(Func<int, int> filterOf)
    {
        byte[] rows = new byte[(RowBytes + 1) * Height];
        for (int y = 0; y < Height; y++)
        {
            int start = y * (RowBytes + 1);
            rows[start] = (byte)filterOf(y);
            for (int i = 0; i < RowBytes; i++)
            {
                int left = At(i - PixelBytes, y);
                int above = At(i, y - 1);
                int aboveLeft = At(i - PixelBytes, y - 1);
                rows[start + 1 + i] = (byte)(At(i, y) - rows[start] switch
                {
                    0 => 0,
                    1 => left,
                    2 => above,
                    3 => (left + above) / 2,
                    _ => Paeth(left, above, aboveLeft),
                });
            }
        }

        return rows;
    }

    /// <summary>The rows of a file with so many bits a sample, without filters: what does not fit is cut off, and what is missing is repeated.</summary>
    public byte[] Packed(int bitDepth, bool interlaced = false)
    {
        var rows = new List<byte>();
        foreach ((int startX, int startY, int xStep, int yStep) in interlaced ? s_passes : [(0, 0, 1, 1)])
        {
            for (int y = startY; y < Height && startX < Width; y += yStep)
            {
                rows.Add(0);
                var samples = new List<byte>();
                for (int x = startX; x < Width; x += xStep)
                {
                    samples.AddRange(Bytes.AsSpan((y * RowBytes) + (x * PixelBytes), PixelBytes));
                }

                rows.AddRange(bitDepth == 16 ? samples.SelectMany(sample => (byte[])[sample, sample]) : Bits(samples, bitDepth));
            }
        }

        return [.. rows];
    }

    /// <summary>What is left of the samples in a file with so many bits a sample.</summary>
    public PngSamples AtDepth(int bitDepth)
    {
        int lost = Math.Max(0, 8 - bitDepth);
        double scale = ColorType == PaletteType ? 1 : 255.0 / (255 >> lost);
        return this with { Bytes = [.. Bytes.Select(sample => (byte)Math.Round((sample >> lost) * scale))] };
    }

    /// <summary>Red, green and blue, with what is transparent laid over white.</summary>
    public byte[] Colors(byte[]? palette = null, byte[]? transparency = null)
    {
        var colors = new List<byte>();
        foreach (byte[] pixel in Bytes.Chunk(PixelBytes))
        {
            (byte[] color, byte alpha) = ColorType switch
            {
                0 => ([pixel[0], pixel[0], pixel[0]], byte.MaxValue),
                2 => (pixel, byte.MaxValue),
                PaletteType => (palette!.Chunk(3).ElementAt(pixel[0]), pixel[0] < transparency!.Length ? transparency[pixel[0]] : byte.MaxValue),
                4 => ([pixel[0], pixel[0], pixel[0]], pixel[1]),
                _ => (pixel[..3], pixel[3]),
            };
            colors.AddRange(color.Select(sample => (byte)Math.Round(((sample * alpha) + (255 * (255 - alpha))) / 255.0)));
        }

        return [.. colors];
    }

    private static IEnumerable<byte> Bits(List<byte> samples, int bitDepth)
    {
        foreach (byte[] group in samples.Chunk(8 / bitDepth))
        {
            int packed = 0;
            for (int i = 0; i < group.Length; i++)
            {
                packed |= group[i] >> (8 - bitDepth) << (8 - (bitDepth * (i + 1)));
            }

            yield return (byte)packed;
        }
    }

    private static int Paeth(int left, int above, int aboveLeft)
    {
        int estimate = left + above - aboveLeft;
        return ((int[])[left, above, aboveLeft]).MinBy(neighbour => Math.Abs(estimate - neighbour));
    }

    private int At(int i, int y) => i < 0 || y < 0 ? 0 : Bytes[(y * RowBytes) + i];
}
