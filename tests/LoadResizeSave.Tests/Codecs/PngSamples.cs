namespace LoadResizeSave.Tests.Codecs;

/// <summary>Samples as they are before the compressor: what the specification says about filters and colours.</summary>
internal sealed record PngSamples(int Width, int Height, byte ColorType, byte[] Bytes)
{
    public int PixelBytes => ColorType switch
    {
        0 or 3 => 1,
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
                3 => (palette!.Chunk(3).ElementAt(pixel[0]), pixel[0] < transparency!.Length ? transparency[pixel[0]] : byte.MaxValue),
                4 => ([pixel[0], pixel[0], pixel[0]], pixel[1]),
                _ => (pixel[..3], pixel[3]),
            };
            colors.AddRange(color.Select(sample => (byte)Math.Round(((sample * alpha) + (255 * (255 - alpha))) / 255.0)));
        }

        return [.. colors];
    }

    private static int Paeth(int left, int above, int aboveLeft)
    {
        int estimate = left + above - aboveLeft;
        return ((int[])[left, above, aboveLeft]).MinBy(neighbour => Math.Abs(estimate - neighbour));
    }

    private int At(int i, int y) => i < 0 || y < 0 ? 0 : Bytes[(y * RowBytes) + i];
}
