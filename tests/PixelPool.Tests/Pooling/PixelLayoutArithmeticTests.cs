using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool.Tests.Pooling;

/// <summary>Where rows lie, against the arithmetic that one would write without thinking of speed; and what is refused.</summary>
public class PixelLayoutArithmeticTests
{
    // Some rows of an image of 100 pixels of 4 bytes.
    private const int Stride = 408;

    public static TheoryData<int, int, int, int> Parts
    {
        get
        {
            var parts = new TheoryData<int, int, int, int>();
            foreach (int rowsPerBlock in (int[])[1, 2, 3, 7, 16])
            {
                foreach (int firstRow in (int[])[0, 1, 6, 7, 20])
                {
                    parts.Add(rowsPerBlock, firstRow, 1, 0);
                    parts.Add(rowsPerBlock, firstRow, 6, 12);
                    parts.Add(rowsPerBlock, firstRow, 30, 4);
                }
            }

            return parts;
        }
    }

    [Theory]
    [MemberData(nameof(Parts))]
    public void Rows_and_pieces_of_a_part_are_those_of_plain_division(int rowsPerBlock, int firstRow, int height, int columnBytes)
    {
        PixelLayout layout = new PixelLayout(100, 64, Stride, rowsPerBlock, isDivided: true).Cut(columnBytes, firstRow, width: 90, height);
        var blocks = new HashSet<int>();
        for (int y = 0; y < height; y++)
        {
            int block = (firstRow + y) / rowsPerBlock;
            blocks.Add(block);
            Assert.Equal(block, layout.Locate(y, out nint offset));
            Assert.Equal(((firstRow + y) % rowsPerBlock * Stride) + columnBytes, offset);
            foreach (int rows in (int[])[0, 1, 2, 5, 100])
            {
                int expected = 1;
                while (expected < rows && y + expected < height && (firstRow + y + expected) / rowsPerBlock == block)
                {
                    expected++;
                }

                Assert.Equal(expected, layout.RowsInPiece(y, rows * Stride));
                Assert.Equal(expected, layout.RowsInPiece(y, (rows * Stride) + Stride - 1));
            }
        }

        Assert.Equal(blocks.Count, layout.PieceCount);
    }

    [Theory]
    [InlineData(Stride)]
    [InlineData(-Stride)]
    public void One_piece_has_all_rows_wherever_they_begin_and_whichever_way_they_go(int stride)
    {
        PixelLayout layout = new PixelLayout(100, 64, stride, rowsPerBlock: 64, isDivided: false).Cut(columnBytes: 8, firstRow: 3, width: 10, height: 60);
        Assert.Equal(1, layout.PieceCount);
        for (int y = 0; y < 60; y++)
        {
            Assert.Equal(0, layout.Locate(y, out nint offset));
            Assert.Equal(((3 + y) * stride) + 8, offset);
            Assert.Equal(60 - y, layout.RowsInPiece(y, long.MaxValue));
            Assert.Equal(Math.Min(60 - y, 2), layout.RowsInPiece(y, 2 * Stride));
        }
    }

    [Fact]
    public void The_default_is_no_rows_in_no_pieces()
    {
        PixelLayout layout = default;
        Assert.Equal((0, 0, 0, 1), (layout.Width, layout.Height, layout.PieceCount, layout.RowsOfOne));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(255)]
    public void Rows_of_a_subsampled_plane_belong_to_several_rows_and_lie_where_they_did(int rowsOfOne)
    {
        PixelLayout layout = new PixelLayout(100, 64, Stride, rowsPerBlock: 7, isDivided: true).Cut(columnBytes: 4, firstRow: 5, width: 9, height: 8);
        PixelLayout subsampled = layout.Subsample(rowsOfOne);
        Assert.Equal(rowsOfOne, subsampled.RowsOfOne);
        Assert.Equal(layout, subsampled.Subsample(1));
        Assert.Equal(255, PixelLayout.MostRowsOfOne);
    }

    [Theory]
    [InlineData(100, 64, 400, true)]
    [InlineData(100, 64, 408, false)]
    [InlineData(100, 1, 408, true)]
    [InlineData(100, 64, -400, false)]
    [InlineData(65536, 32767, 262144, true)]
    [InlineData(65536, 32768, 262144, false)]
    [InlineData(int.MaxValue, 1, 4, true)]
    public void Pixels_without_gaps_in_one_piece_are_one_run_if_a_span_can_hold_them(int width, int height, int stride, bool isSingleRun)
    {
        Assert.Equal(isSingleRun, new PixelLayout(width, height, stride, height, isDivided: false).IsSingleRun(4));
        if (height > 1)
        {
            Assert.False(new PixelLayout(width, height, stride, height - 1, isDivided: true).IsSingleRun(4));
        }
    }

    [Fact]
    public void Bytes_of_an_image_are_refused_from_the_first_one_that_cannot_be_addressed()
    {
        Assert.Equal(3 * 1000, PixelLayout.TotalBytes(1000, 3));
        Assert.Equal(BlockSource.MaxBytes, PixelLayout.TotalBytes(BlockSource.MaxBytes, 1));
        Assert.Throws<InvalidMemoryOperationException>(() => PixelLayout.TotalBytes(BlockSource.MaxBytes + 1, 1));
        Assert.Throws<InvalidMemoryOperationException>(() => PixelLayout.TotalBytes(BlockSource.MaxBytes, 2));
    }

    [Fact]
    public void A_stride_is_the_least_multiple_of_the_alignment_that_holds_a_row()
    {
        foreach (int width in (int[])[1, 2, 15, 16, 17, 100, int.MaxValue])
        {
            foreach (int pixelBytes in (int[])[1, 3, 4, 16])
            {
                foreach (int alignment in (int[])[1, 2, 16, 64, 4096])
                {
                    long bytes = (long)width * pixelBytes;
                    long rest = bytes % alignment;
                    Assert.Equal(rest == 0 ? bytes : bytes - rest + alignment, PixelLayout.StrideOf(width, pixelBytes, alignment));
                }
            }
        }
    }

    [Theory]
    [InlineData(0, 9)]
    [InlineData(1, 65536)]
    [InlineData(3, 21845)]
    [InlineData(32768, 2)]
    [InlineData(32769, 1)]
    [InlineData(65536, 1)]
    [InlineData(65537, 0)]
    [InlineData((1L << 32) + 1, 0)]
    [InlineData(long.MaxValue, 0)]
    public void A_block_has_whole_rows_only(long stride, int rows) => Assert.Equal(rows, PixelLayout.RowsIn(65536, stride, height: 9));

    [Theory]
    [InlineData(0, 0, 100, 64)]
    [InlineData(99, 63, 1, 1)]
    [InlineData(40, 4, 60, 60)]
    public void A_rectangle_in_the_image_is_cut_out(int x, int y, int width, int height)
    {
        PixelLayout layout = Whole().CutRectangle(x, y, width, height, pixelBytes: 4);
        Assert.Equal((x * 4, y, width, height), (layout.ColumnBytes, layout.FirstRow, layout.Width, layout.Height));
    }

    [Theory]
    [InlineData(-1, 0, 1, 1, "x", "x must be 0 to 99")]
    [InlineData(100, 0, 1, 1, "x", "x must be 0 to 99")]
    [InlineData(int.MinValue, 0, 1, 1, "x", "x must be 0 to 99")]
    [InlineData(0, -1, 1, 1, "y", "y must be 0 to 63")]
    [InlineData(0, 64, 1, 1, "y", "y must be 0 to 63")]
    [InlineData(40, 0, 0, 1, "width", "width must be 1 to 60")]
    [InlineData(40, 0, 61, 1, "width", "width must be 1 to 60")]
    [InlineData(40, 0, -1, 1, "width", "width must be 1 to 60")]
    [InlineData(99, 0, int.MaxValue, 1, "width", "width must be 1 to 1")]
    [InlineData(0, 4, 1, 0, "height", "height must be 1 to 60")]
    [InlineData(0, 4, 1, 61, "height", "height must be 1 to 60")]
    public void A_rectangle_that_is_empty_or_leaves_the_image_is_refused(int x, int y, int width, int height, string parameter, string range)
    {
        ArgumentOutOfRangeException error = Assert.Throws<ArgumentOutOfRangeException>(() => Whole().CutRectangle(x, y, width, height, pixelBytes: 4));
        Assert.Equal(parameter, error.ParamName);
        Assert.Contains(range + ".", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(4, 400)]
    [InlineData(1, 1600)]
    [InlineData(16, 100)]
    [InlineData(32, 50)]
    public void Rows_are_as_many_pixels_of_another_size_as_their_bytes_hold(int castBytes, int width)
    {
        PixelLayout layout = new PixelLayout(400, 64, stride: 1600, rowsPerBlock: 7, isDivided: true).Cut(columnBytes: 0, firstRow: 2, width: 400, height: 9);
        PixelLayout cast = layout.Cast(4, castBytes);
        Assert.Equal((width, 9, 2, 1600, 7), (cast.Width, cast.Height, cast.FirstRow, cast.Stride, cast.RowsPerBlock));
    }

    [Fact]
    public void Pixels_that_do_not_divide_a_row_are_refused_with_the_figures()
    {
        InvalidMemoryOperationException error = Assert.Throws<InvalidMemoryOperationException>(() => Whole().Cast(4, 3));
        Assert.Equal("A row of 100 pixels of 4 bytes is 400 bytes: no whole number of pixels of 3 bytes.", error.Message);
    }

    private static PixelLayout Whole() => new(100, 64, Stride, rowsPerBlock: 7, isDivided: true);
}
