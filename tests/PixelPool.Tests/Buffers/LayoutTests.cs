using PixelPool.Pooling;

namespace PixelPool.Tests.Buffers;

/// <summary>Where rows lie: strides, rows per block, blocks.</summary>
[Trait("Category", "Long")]
public class LayoutTests
{
    private const int K = 1 << 10;
    private const AllocationOptions None = AllocationOptions.None;
    private const AllocationOptions Contiguous = AllocationOptions.Contiguous;

    // RowsPerBlock of an image in one piece is at least its height: only of divided images it is a fact about the layout.
    private const int AllRows = -1;

    public static TheoryData<MemoryTier, int> TiersAndAlignments
    {
        get
        {
            var data = new TheoryData<MemoryTier, int>();
            foreach (MemoryTier tier in Enum.GetValues<MemoryTier>())
            {
                for (int alignment = 1; alignment <= 4096; alignment *= 2)
                {
                    data.Add(tier, alignment);
                }
            }

            return data;
        }
    }

    [Theory]
    // Packed rows.
    [InlineData(7, 42, 1, 64 * K, 1, None, 7, AllRows, 1)]
    [InlineData(7, 42, 16, 64 * K, 1, None, 112, AllRows, 1)]
    [InlineData(100, 1000, 1, 64 * K, 1, None, 100, 655, 2)]
    [InlineData(100, 655, 1, 64 * K, 1, None, 100, AllRows, 1)]
    [InlineData(100, 656, 1, 64 * K, 1, None, 100, 655, 2)]
    [InlineData(100, 1310, 1, 64 * K, 1, None, 100, 655, 2)]
    [InlineData(100, 1311, 1, 64 * K, 1, None, 100, 655, 3)]
    [InlineData(101, 1000, 3, 64 * K, 1, None, 303, 216, 5)]
    [InlineData(333, 77, 8, 64 * K, 1, None, 2664, 24, 4)]
    [InlineData(1025, 17, 16, 64 * K, 1, None, 16400, 3, 6)]
    [InlineData(1920, 1080, 4, 4096 * K, 1, None, 7680, 546, 2)]
    [InlineData(4000, 3000, 4, 4096 * K, 1, None, 16000, 262, 12)]
    [InlineData(6000, 4000, 3, 4096 * K, 1, None, 18000, 233, 18)]
    // A row of exactly a block, of one byte less and of one more.
    [InlineData(64 * K, 3, 1, 64 * K, 1, None, 64 * K, 1, 3)]
    [InlineData((64 * K) - 1, 3, 1, 64 * K, 1, None, (64 * K) - 1, 1, 3)]
    [InlineData((64 * K) + 1, 3, 1, 64 * K, 1, None, (64 * K) + 1, AllRows, 1)]
    // Aligned rows.
    [InlineData(7, 42, 1, 64 * K, 2, None, 8, AllRows, 1)]
    [InlineData(100, 1000, 1, 64 * K, 64, None, 128, 512, 2)]
    [InlineData(100, 1024, 1, 64 * K, 64, None, 128, 512, 2)]
    [InlineData(100, 1025, 1, 64 * K, 64, None, 128, 512, 3)]
    [InlineData(33, 100, 3, 64 * K, 4096, None, 4096, 16, 7)]
    [InlineData(1366, 768, 3, 4096 * K, 4096, None, 8192, 512, 2)]
    [InlineData(64, 1024, 1, 64 * K, 64, None, 64, AllRows, 1)]
    [InlineData(65, 1024, 1, 64 * K, 64, None, 128, 512, 2)]
    // Contiguous ones are one piece, whatever their size.
    [InlineData(100, 1000, 1, 64 * K, 1, Contiguous, 100, AllRows, 1)]
    [InlineData(100, 100, 1, 64 * K, 1, Contiguous, 100, AllRows, 1)]
    [InlineData(4000, 3000, 4, 4096 * K, 64, Contiguous, 16000, AllRows, 1)]
    [InlineData(1001, 5000, 3, 64 * K, 16, Contiguous | AllocationOptions.Clean, 3008, AllRows, 1)]
    public void Rows_are_laid_out_by_the_table(
        int width, int height, int pixelBytes, int blockBytes, int rowAlignment, AllocationOptions options, int stride, int rowsPerBlock, int blocks) =>
        PixelTypes.Call(pixelBytes, CheckTable<byte>, (width, height, blockBytes, rowAlignment, options, stride, rowsPerBlock, blocks));

    [Theory]
    [InlineData(128 * K, 100, 2000, 1310, 2)]
    [InlineData(128 * K, 100, 1310, AllRows, 1)]
    [InlineData(128 * K, 100, 1311, 1310, 2)]
    [InlineData((128 * K) - 1, 256, 1023, 511, 3)]
    [InlineData(256 * K, 70_000, 8, AllRows, 1)] // a row longer than a block
    [InlineData(128 * K, 200_000, 8, AllRows, 1)]
    public void Unpooled_images_are_laid_out_in_larger_pieces(int pieceBytes, int width, int height, int rowsPerPiece, int pieces)
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.UnpooledPieces);
        options.UnpooledBlockBytes = pieceBytes;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using PixelBuffer<byte> buffer = allocator.Rent<byte>(width, height);
        AssertLayout(buffer, width, rowsPerPiece, pieces);
        AssertRowsAreApart(buffer, 1);
        Assert.Equal((long)width * height, allocator.GetStatistics().RentedBytes);
    }

    [Theory]
    [MemberData(nameof(TiersAndAlignments))]
    public void Rows_are_aligned_and_apart_and_never_straddle_blocks(MemoryTier tier, int alignment)
    {
        foreach (int pixelBytes in PixelTypes.Sizes)
        {
            PixelTypes.Call(pixelBytes, CheckAlignment<byte>, (tier, alignment));
        }
    }

    [Fact]
    public void The_block_of_a_row_is_its_number_divided_by_the_rows_per_block()
    {
        var random = new Random(20_240_229);
        foreach (int rowsPerBlock in Divisors(random))
        {
            var layout = new PixelLayout(1, int.MaxValue, 1, rowsPerBlock, isDivided: true);
            foreach (long multiple in (long[])[0, 1, 2, 3, random.Next(), int.MaxValue / rowsPerBlock])
            {
                for (long row = (multiple * rowsPerBlock) - 1; row <= (multiple * rowsPerBlock) + 1; row++)
                {
                    Check(layout, row);
                }
            }

            Check(layout, random.Next());
            Check(layout, int.MaxValue);
        }

        static void Check(PixelLayout layout, long row)
        {
            if (row is >= 0 and <= int.MaxValue)
            {
                Assert.Equal((int)row / layout.RowsPerBlock, layout.BlockOf((int)row));
            }
        }
    }

    private static IEnumerable<int> Divisors(Random random)
    {
        for (int i = 1; i < 1000; i++)
        {
            yield return i;
        }

        for (int bit = 10; bit < 31; bit++)
        {
            yield return (1 << bit) - 1;
            yield return 1 << bit;
            yield return (1 << bit) + 1;
        }

        for (int i = 0; i < 5000; i++)
        {
            yield return random.Next(1, int.MaxValue) >> random.Next(0, 25) | 1;
        }

        yield return int.MaxValue;
    }

    private static void CheckTable<TPixel>(
        (int Width, int Height, int BlockBytes, int Alignment, AllocationOptions Options, int Stride, int RowsPerBlock, int Blocks) row)
        where TPixel : unmanaged
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = row.BlockBytes,
            SmallBufferThresholdBytes = row.BlockBytes / 4,
            RowAlignmentBytes = row.Alignment,
            MaxPooledBytes = 256L << 20,
            TrimPolicy = TrimPolicy.None,
        });
        using PixelBuffer<TPixel> buffer = allocator.Rent<TPixel>(row.Width, row.Height, row.Options);
        Assert.Equal(row.Width, buffer.Width);
        Assert.Equal(row.Height, buffer.Height);
        AssertLayout(buffer, row.Stride, row.RowsPerBlock, row.Blocks);
        AssertRowsAreApart(buffer, row.Alignment);
    }

    private static void CheckAlignment<TPixel>((MemoryTier Tier, int Alignment) test)
        where TPixel : unmanaged
    {
        PixelAllocatorOptions options = TierSizes.Options(test.Tier);
        options.RowAlignmentBytes = test.Alignment;
        using PixelAllocator allocator = PixelAllocator.Create(options);

        // The second one of small ones does not start where a block does.
        using PixelBuffer<TPixel> first = TierSizes.Rent<TPixel>(allocator, test.Tier, rowAlignmentBytes: test.Alignment);
        using PixelBuffer<TPixel> second = TierSizes.Rent<TPixel>(allocator, test.Tier, rowAlignmentBytes: test.Alignment);
        AssertRowsAreApart(first, test.Alignment);
        AssertRowsAreApart(second, test.Alignment);
        Assert.Equal(0, first.Stride % test.Alignment);
        PixelPattern.Write(first);
        PixelPattern.Fill(second, 0x5A);
        PixelPattern.AssertHolds(first);
        PixelPattern.AssertEveryByte(second, 0x5A);
    }

    private static void AssertLayout<TPixel>(PixelBuffer<TPixel> buffer, int stride, int rowsPerBlock, int blocks)
        where TPixel : unmanaged
    {
        Assert.Equal(stride, buffer.Stride);
        Assert.Equal(blocks, buffer.BlockCount);
        Assert.Equal(blocks == 1, buffer.IsContiguous);
        if (rowsPerBlock == AllRows)
        {
            Assert.True(buffer.RowsPerBlock >= buffer.Height);
        }
        else
        {
            Assert.Equal(rowsPerBlock, buffer.RowsPerBlock);
        }
    }

    private static unsafe void AssertRowsAreApart<TPixel>(PixelBuffer<TPixel> buffer, int alignment)
        where TPixel : unmanaged
    {
        // Arrays stay where they are while a view of each row is pinned.
        using PixelBuffer<TPixel> origin = buffer.View(0, 0, 1, 1);
        using PinnedPixels pinned = origin.Pin();
        long[] rows = new long[buffer.Height];
        for (int y = 0; y < rows.Length; y++)
        {
            fixed (TPixel* row = buffer.DangerousGetRowSpan(y))
            {
                rows[y] = (long)row;
            }

            Assert.Equal(0, rows[y] % alignment);
            if (y % buffer.RowsPerBlock != 0)
            {
                Assert.Equal(rows[y - 1] + buffer.Stride, rows[y]);
            }
            else if (!buffer.IsContiguous)
            {
                // Every block starts with a row.
                Assert.Equal(0, rows[y] % 4096);
            }
        }

        Array.Sort(rows);
        for (int y = 1; y < rows.Length; y++)
        {
            Assert.True(rows[y] - rows[y - 1] >= (long)buffer.Width * sizeof(TPixel), "Two rows overlap.");
        }
    }
}
