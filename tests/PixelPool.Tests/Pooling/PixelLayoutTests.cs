using PixelPool.Pooling;

namespace PixelPool.Tests.Pooling;

public class PixelLayoutTests
{
    private static readonly int[] s_rows =
    [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 31, 63, 64, 65, 99, 100, 101, 255, 256, 257, 1023, 1024, 4095, 4096, 4097, 65535, 65536, 65537,
        (1 << 24) - 1, 1 << 24, (1 << 24) + 1, (1 << 30) - 1, 1 << 30, (1 << 30) + 1, int.MaxValue - 2, int.MaxValue - 1, int.MaxValue,
    ];

    /// <summary>1, primes, powers of two and their neighbours, and what blocks of 4 MiB hold of usual images.</summary>
    public static TheoryData<int> RowsPerBlock =>
    [
        .. new HashSet<int>(Enumerable.Range(1, 30).SelectMany(static power => new[] { (1 << power) - 1, 1 << power, (1 << power) + 1 }))
        {
            1, 2, 3, 5, 7, 11, 13, 17, 31, 97, 127, 641, 1021, 4093, 8191, 65521, 65537, 131_071, 16_777_213, 1_000_003, 1_073_741_789, 1_073_741_827,
            2_147_483_629, int.MaxValue, int.MaxValue - 1, 6, 9, 10, 12, 24, 60, 100, 273, 546, 1000, 1092, 1365, 2184, 10_922, 715_827_883,
        },
    ];

    [Theory]
    [MemberData(nameof(RowsPerBlock))]
    public void Block_of_a_row_is_the_quotient(int rowsPerBlock)
    {
        PixelLayout layout = Create(rowsPerBlock);
        Assert.Equal(rowsPerBlock, layout.RowsPerBlock);
        foreach (int row in s_rows)
        {
            AssertQuotient(layout, row);
        }

        // Where a wrong multiplier shows first: on both sides of the multiples, the largest ones above all.
        long last = int.MaxValue / rowsPerBlock;
        for (long block = 0; block <= last; block += Math.Max(1, last / 1000))
        {
            AssertAround(layout, block * rowsPerBlock);
        }

        for (long block = Math.Max(0, last - 1000); block <= last; block++)
        {
            AssertAround(layout, block * rowsPerBlock);
        }
    }

    [Fact]
    public void Block_of_a_row_is_the_quotient_for_random_sizes()
    {
        int seed = Random.Shared.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int i = 0; i < 200_000; i++)
        {
            int rowsPerBlock = Math.Max(1, random.Next() >> random.Next(31));
            PixelLayout layout = Create(rowsPerBlock);
            int row = random.Next();
            AssertQuotient(layout, row);
            AssertQuotient(layout, row >> random.Next(31));
            AssertQuotient(layout, row / rowsPerBlock * rowsPerBlock);
        }
    }

    [Fact]
    public void Block_of_every_row_of_a_small_image_is_the_quotient()
    {
        for (int rowsPerBlock = 1; rowsPerBlock <= 300; rowsPerBlock++)
        {
            PixelLayout layout = Create(rowsPerBlock);
            for (int row = 0; row < 3000; row++)
            {
                AssertQuotient(layout, row);
            }
        }
    }

    [Fact]
    public void A_cut_of_a_cut_adds_up_and_finds_the_same_blocks()
    {
        PixelLayout layout = Create(7).Cut(columnBytes: 12, firstRow: 30, width: 50, height: 40).Cut(columnBytes: 4, firstRow: 5, width: 20, height: 10);
        Assert.Equal((20, 10, 35, 16), (layout.Width, layout.Height, layout.FirstRow, layout.ColumnBytes));
        Assert.Equal((400, 7), (layout.Stride, layout.RowsPerBlock));
        AssertQuotient(layout, 35);
        AssertQuotient(layout, 44);
    }

    private static PixelLayout Create(int rowsPerBlock) => new(width: 100, height: int.MaxValue, stride: 400, rowsPerBlock, isDivided: true);

    private static void AssertAround(in PixelLayout layout, long multiple)
    {
        AssertQuotient(layout, (int)Math.Max(0, multiple - 1));
        AssertQuotient(layout, (int)multiple);
        AssertQuotient(layout, (int)Math.Min(int.MaxValue, multiple + 1));
    }

    private static void AssertQuotient(in PixelLayout layout, int row)
    {
        if (layout.BlockOf(row) != row / layout.RowsPerBlock)
        {
            Assert.Fail($"Row {row} at {layout.RowsPerBlock} rows per block: {layout.BlockOf(row)}, not {row / layout.RowsPerBlock}.");
        }
    }
}
