namespace PixelPool.Tests.Buffers;

/// <summary>Rectangles of an image that share its memory.</summary>
public class ViewTests
{
    public static TheoryData<MemoryTier, int> Cases => TierSizes.AllWithPixelBytes;

    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(Cases))]
    public void A_view_shows_the_pixels_of_its_rectangle(MemoryTier tier, int pixelBytes) => PixelTypes.Call(pixelBytes, CheckRectangles<byte>, tier);

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void What_is_written_to_a_view_is_in_the_image_and_nowhere_else(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, tier);
        foreach ((int x, int y, int width, int height) in Rectangles(image))
        {
            PixelPattern.Fill(image, 0);
            using (PixelBuffer<Rgb24> view = image.View(x, y, width, height))
            {
                view.Fill(new Rgb24(1, 1, 1));
                if (width > 2 && height > 2)
                {
                    using PixelBuffer<Rgb24> inner = view.View(1, 1, width - 2, height - 2);
                    inner.Fill(new Rgb24(2, 2, 2));
                    inner.Clear();
                }
            }

            for (int row = 0; row < image.Height; row++)
            {
                Span<Rgb24> pixels = image.DangerousGetRowSpan(row);
                for (int column = 0; column < pixels.Length; column++)
                {
                    // A frame is left where the view was large enough for an inner one.
                    bool inside = row >= y && row < y + height && column >= x && column < x + width;
                    bool inner = width > 2 && height > 2 && row > y && row < y + height - 1 && column > x && column < x + width - 1;
                    byte expected = inside && !inner ? (byte)1 : (byte)0;
                    if (pixels[column] != new Rgb24(expected, expected, expected))
                    {
                        Assert.Fail($"Pixel ({column}, {row}) is {pixels[column]} after a view at ({x}, {y}) of {width} x {height} was filled.");
                    }
                }
            }
        }
    }

    [Theory]
    [InlineData(-1, 0, 1, 1, "x")]
    [InlineData(10, 0, 1, 1, "x")]
    [InlineData(int.MaxValue, 0, 1, 1, "x")]
    [InlineData(int.MinValue, 0, 1, 1, "x")]
    [InlineData(0, -1, 1, 1, "y")]
    [InlineData(0, 8, 1, 1, "y")]
    [InlineData(0, int.MaxValue, 1, 1, "y")]
    [InlineData(0, 0, 0, 1, "width")]
    [InlineData(0, 0, -1, 1, "width")]
    [InlineData(0, 0, 11, 1, "width")]
    [InlineData(9, 0, 2, 1, "width")]
    [InlineData(1, 0, int.MaxValue, 1, "width")]
    [InlineData(1, 0, int.MinValue, 1, "width")]
    [InlineData(0, 0, 1, 0, "height")]
    [InlineData(0, 0, 1, -1, "height")]
    [InlineData(0, 0, 1, 9, "height")]
    [InlineData(0, 7, 1, 2, "height")]
    [InlineData(0, 1, 1, int.MaxValue, "height")]
    public void Rectangles_outside_of_the_image_are_out_of_range(int x, int y, int width, int height, string parameter)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<uint> larger = allocator.Rent<uint>(20, 20);
        using PixelBuffer<uint> view = larger.View(4, 5, 10, 8);
        using (PixelBuffer<uint> image = allocator.Rent<uint>(10, 8))
        {
            Assert.Equal(parameter, Assert.Throws<ArgumentOutOfRangeException>(() => image.View(x, y, width, height)).ParamName);
        }

        // A view ends at its own edge, not at that of its image.
        Assert.Equal(parameter, Assert.Throws<ArgumentOutOfRangeException>(() => view.View(x, y, width, height)).ParamName);
        view.Dispose();
        larger.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void A_view_keeps_the_memory_alive_after_the_image_was_disposed(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        PixelPattern.Write(image);
        long rented = allocator.GetStatistics().RentedBytes;
        PixelBuffer<uint> view = image.View(1, 1, image.Width - 1, image.Height - 1);
        PixelBuffer<uint> ofView = view.View(1, 0, 2, 2);
        image.Dispose();
        Assert.False(view.IsDisposed);
        using (PixelBuffer<uint> next = TierSizes.Rent<uint>(allocator, tier))
        {
            PixelPattern.Fill(next, 0xEE);
            PixelPattern.AssertHolds(view, 1, 1);
        }

        view.Dispose();
        PixelPattern.AssertHolds(ofView, 2, 1);
        Assert.Equal(rented, allocator.GetStatistics().RentedBytes);
        ofView.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void An_image_outlives_its_views_however_often_they_are_disposed(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier))
        {
            PixelPattern.Write(image);
            for (int i = 0; i < 3; i++)
            {
                PixelBuffer<uint> view = image.View(0, 0, 1, 1);
                view.Dispose();
                view.Dispose();
                Assert.True(view.IsDisposed);
                Assert.False(image.IsDisposed);
                Assert.Throws<ObjectDisposedException>(() => view[0, 0]);
            }

            PixelPattern.AssertHolds(image);
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Views_of_images_in_several_blocks_know_which_of_them_they_touch()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<byte> image = allocator.Rent<byte>(1000, 300);
        Assert.Equal(65, image.RowsPerBlock);
        Assert.Equal(5, image.BlockCount);
        AssertBlocks(0, 300, 5);
        AssertBlocks(0, 65, 1);
        AssertBlocks(0, 66, 2);
        AssertBlocks(64, 1, 1);
        AssertBlocks(64, 2, 2);
        AssertBlocks(65, 65, 1);
        AssertBlocks(64, 67, 3);
        AssertBlocks(260, 40, 1);
        AssertBlocks(259, 41, 2);
        AssertBlocks(299, 1, 1);

        void AssertBlocks(int y, int height, int blocks)
        {
            using PixelBuffer<byte> view = image.View(10, y, 100, height);
            Assert.Equal(blocks, view.BlockCount);
            Assert.Equal(blocks == 1, view.IsContiguous);
            Assert.Equal(image.Stride, view.Stride);
            Assert.Equal(image.RowsPerBlock, view.RowsPerBlock);
            using PixelBuffer<byte> ofView = view.View(1, height - 1, 1, 1);
            Assert.True(ofView.IsContiguous);
        }
    }

    private static void CheckRectangles<TPixel>(MemoryTier tier)
        where TPixel : unmanaged
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<TPixel> image = TierSizes.Rent<TPixel>(allocator, tier))
        {
            PixelPattern.Write(image);
            foreach ((int x, int y, int width, int height) in Rectangles(image))
            {
                using PixelBuffer<TPixel> view = image.View(x, y, width, height);
                Assert.Equal((width, height, image.Stride), (view.Width, view.Height, view.Stride));
                PixelPattern.AssertHolds(view, x, y);
                Assert.Equal(image[x + width - 1, y + height - 1], view[width - 1, height - 1]);
                using PixelBuffer<TPixel> ofView = view.View(width / 2, height / 2, width - (width / 2), height - (height / 2));
                PixelPattern.AssertHolds(ofView, x + (width / 2), y + (height / 2));
            }
        }

        TierSizes.AssertQuiet(allocator);
    }

    // Corners, edges, the whole, the middle, and across the border of two blocks.
    private static IEnumerable<(int X, int Y, int Width, int Height)> Rectangles<TPixel>(PixelBuffer<TPixel> image)
        where TPixel : unmanaged
    {
        int right = image.Width - 1;
        int bottom = image.Height - 1;
        yield return (0, 0, 1, 1);
        yield return (right, 0, 1, 1);
        yield return (0, bottom, 1, 1);
        yield return (right, bottom, 1, 1);
        yield return (0, 0, image.Width, image.Height);
        yield return (0, bottom, image.Width, 1);
        yield return (right, 0, 1, image.Height);
        yield return (3, 1, 17, image.Height - 2);
        if (!image.IsContiguous)
        {
            yield return (5, image.RowsPerBlock - 1, 11, 2);
            yield return (5, image.RowsPerBlock, 11, 1);
        }
    }
}
