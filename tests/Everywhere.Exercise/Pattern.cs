namespace Everywhere.Exercise;

/// <summary>Pixels that tell where they are, and whose.</summary>
internal static unsafe class Pattern
{
    // A reader of vectors touches so much around a row.
    private const int MarginBytes = 64;

    public static uint At(int x, int y, uint seed) => (uint)x ^ ((uint)y * 2_654_435_761) ^ seed;

    public static void Write(PixelBuffer<uint> image, uint seed) => image.ProcessPixelRows(seed, static (rows, seed) => Write(rows, seed));

    public static void Check(PixelBuffer<uint> image, uint seed) => image.ProcessPixelRows(seed, static (rows, seed) => Check(rows, seed));

    public static void Write(PixelAccessor<uint> rows, uint seed)
    {
        for (int y = 0; y < rows.Height; y++)
        {
            Span<uint> row = rows.GetRowSpan(y);
            for (int x = 0; x < row.Length; x++)
            {
                row[x] = At(x, rows.FirstRow + y, seed);
            }
        }
    }

    public static void Check(PixelAccessor<uint> rows, uint seed)
    {
        for (int y = 0; y < rows.Height; y++)
        {
            Span<uint> row = rows.GetRowSpan(y);
            Checks.Equal(rows.Width, row.Length);
            for (int x = 0; x < row.Length; x++)
            {
                if (row[x] != At(x, rows.FirstRow + y, seed))
                {
                    throw new InvalidOperationException($"pixel {x}, {rows.FirstRow + y} is {row[x]:X8}, not {At(x, rows.FirstRow + y, seed):X8}");
                }
            }
        }
    }

    /// <summary>Each row has its place: aligned, a stride behind the one before it, with margins that can be read.</summary>
    /// <returns>A sum of the margins: they were really read.</returns>
    public static int CheckPlaces(PixelBuffer<uint> image, int alignment)
    {
        int margins = 0;
        long previous = 0;
        for (int y = 0; y < image.Height; y++)
        {
            Span<uint> row = image.DangerousGetRowSpan(y);
            Checks.Equal(image.Width, row.Length);
            fixed (uint* first = row)
            {
                Checks.Equal(0L, (long)first % alignment);
                if (y % image.RowsPerBlock != 0)
                {
                    Checks.Equal(previous + image.Stride, (long)first);
                }

                previous = (long)first;
                for (int i = 1; i <= MarginBytes; i++)
                {
                    margins += ((byte*)first)[-i] + ((byte*)(first + row.Length))[i - 1];
                }
            }
        }

        return margins;
    }
}
