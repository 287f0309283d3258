using PixelPool.Tests.Buffers;
using PixelPool.Tests.Buffers.Planar;

namespace PixelPool.Tests.Accessors;

/// <summary>Rows that are made from any rows of another image.</summary>
public sealed class FilterTests : IDisposable
{
    private readonly PixelAllocator _allocator = TierSizes.Create(MemoryTier.SeveralBlocks);

    public static TheoryData<MemoryTier, int> Cases => new MatrixTheoryData<MemoryTier, int>(Enum.GetValues<MemoryTier>(), [0, 1, 2, 7, -1]);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        TierSizes.AssertQuiet(_allocator);
        _allocator.Dispose();
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Neighbour_rows_are_read_by_their_number_in_the_image(MemoryTier tier, int degree)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<uint> source = TierSizes.Rent<uint>(allocator, tier))
        using (PixelBuffer<ulong> target = allocator.Rent<ulong>(source.Width, source.Height))
        {
            PixelPattern.Write(source);
            Run(target, source, degree, static (band, source) =>
            {
                for (int y = 0; y < band.Height; y++)
                {
                    int row = band.FirstRow + y;
                    ReadOnlySpan<uint> above = source.GetRowSpanClamped(row - 1);
                    ReadOnlySpan<uint> below = source.GetRowSpanClamped(row + 1);
                    for (int x = 0; x < band.Width; x++)
                    {
                        band[x, y] = ((ulong)above[x] << 32) + below[x];
                    }
                }
            });
            for (int y = 0; y < source.Height; y++)
            {
                for (int x = 0; x < source.Width; x++)
                {
                    Assert.Equal(((ulong)source[x, Math.Max(0, y - 1)] << 32) + source[x, Math.Min(source.Height - 1, y + 1)], target[x, y]);
                }
            }

            PixelPattern.AssertHolds(source);
        }

        TierSizes.AssertQuiet(allocator);
    }

    /// <summary>Twice as wide and high, and turned by a right angle: no row belongs to a row.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(-1)]
    public void Any_size_is_made_from_any_size(int degree)
    {
        using PixelBuffer<ushort> source = _allocator.Rent<ushort>(50, 700);
        using PixelBuffer<ushort> turned = _allocator.Rent<ushort>(700, 50);
        using PixelBuffer<ushort> larger = _allocator.Rent<ushort>(100, 1400);
        PixelPattern.Write(source);
        Run(turned, source, degree, static (band, source) => Make(band, source, static (x, y) => (y, x)));
        Run(larger, source, degree, static (band, source) => Make(band, source, static (x, y) => (x / 2, y / 2)));
        for (int y = 0; y < source.Height; y++)
        {
            for (int x = 0; x < source.Width; x++)
            {
                Assert.Equal((source[x, y], source[x, y]), (turned[y, x], larger[(2 * x) + 1, (2 * y) + 1]));
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(65)]
    public void Every_row_of_the_target_is_in_one_band(int height)
    {
        using PixelBuffer<int> source = _allocator.Rent<int>(1, 1);
        using PixelBuffer<int> target = _allocator.Rent<int>(5, height, AllocationOptions.Clean);
        foreach (int degree in (int[])[0, 1, 2, 16, -1])
        {
            target.Clear();
            Run(target, source, degree, static (band, source) =>
            {
                Assert.Equal((1, 1), (source.Width, source.Height));
                for (int y = 0; y < band.Height; y++)
                {
                    band[3, y] += band.FirstRow + y + 1;
                }
            });
            target.ProcessPixelRows(static rows =>
            {
                for (int y = 0; y < rows.Height; y++)
                {
                    Assert.Equal(y + 1, rows[3, y]);
                }
            });
        }
    }

    [Fact]
    public void Rows_outside_of_the_image_are_the_nearest_ones_if_asked_for()
    {
        using PixelBuffer<int> source = _allocator.Rent<int>(2, 3);
        using PixelBuffer<int> target = _allocator.Rent<int>(1, 1);
        source.ProcessPixelRows(static rows => (rows[0, 0], rows[0, 2]) = (10, 12));
        target.FilterPixelRows(source, static (_, rows) =>
        {
            Assert.Equal([10, 10, 10, 12, 12, 12], ReadClamped(rows));
            Assert.Equal(12, rows[0, 2]);
            AssertOutside(rows, -1);
            AssertOutside(rows, 3);
            Assert.Equal("2 x 3 Int32", rows.ToString());
        });
    }

    [Fact]
    public void The_default_value_has_no_rows()
    {
        ReadOnlyPixelAccessor<int> none = default;
        Assert.Equal((0, 0), (none.Width, none.Height));
        AssertOutside(none, 0);
        try
        {
            _ = none.GetRowSpanClamped(0);
            Assert.Fail("There is no row.");
        }
        catch (ArgumentOutOfRangeException)
        {
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Pixels_that_are_written_cannot_be_the_source(bool inParallel)
    {
        using PixelBuffer<uint> image = _allocator.Rent<uint>(100, 2000);
        using PixelBuffer<uint> all = image.View(0, 0, 100, 2000);
        using PixelBuffer<uint> corner = image.View(99, 1999, 1, 1);
        AssertShared(image, image, inParallel);
        AssertShared(image, all, inParallel);
        AssertShared(image, corner, inParallel);
        AssertShared(corner, image, inParallel);
    }

    /// <summary>The upper half and the lower one, the left one and the right one; and an image whose memory served before.</summary>
    [Theory]
    [InlineData(0, 0, 100, 1000, 0, 1000, 100, 1000)]
    [InlineData(0, 0, 50, 2000, 50, 0, 50, 2000)]
    public void Views_that_do_not_overlap_may_be_source_and_target(int x, int y, int width, int height, int otherX, int otherY, int otherWidth, int otherHeight)
    {
        using PixelBuffer<uint> image = _allocator.Rent<uint>(100, 2000);
        using PixelBuffer<uint> source = image.View(x, y, width, height);
        using PixelBuffer<uint> target = image.View(otherX, otherY, otherWidth, otherHeight);
        PixelPattern.Write(source);
        target.FilterPixelRows(source, static (band, source) => Make(band, source, static (x, y) => (x, y)));
        PixelPattern.AssertHolds(target);
        target.Clear();
        target.FilterPixelRowsInParallel(source, static (band, source) => Make(band, source, static (x, y) => (x, y)), cancellationToken: Token);
        PixelPattern.AssertHolds(target);
    }

    [Fact]
    public void A_plane_may_be_made_from_another_one_of_its_image()
    {
        foreach (PlanarLayout layout in PlanarFormats.Layouts(61, 33, 16))
        {
            using PlanarImage image = _allocator.RentPlanar(layout);
            foreach (PixelBuffer<byte> target in image.Planes)
            {
                foreach (PixelBuffer<byte> source in image.Planes)
                {
                    Exception? refused = Record.Exception(() => target.FilterPixelRows(source, static (_, _) => { }));
                    Assert.Equal(source == target, refused is ArgumentException);
                }
            }
        }
    }

    [Fact]
    public void Leases_are_filtered_as_buffers_are()
    {
        using PixelLease<int> source = _allocator.Lease<int>(10, 20);
        using PixelLease<long> target = _allocator.Lease<long>(10, 20);
        source.Fill(3);
        target.FilterPixelRows(source, static (band, source) => band[9, 19] = source.GetRowSpanClamped(20)[9]);
        Assert.Equal(3, target[9, 19]);
        target.FilterPixelRows(source, 4, static (band, source, state) => band[9, 19] = source[9, 0] + state);
        Assert.Equal(7, target[9, 19]);
        ArgumentException e = AssertThrows<ArgumentException>(source, static source => source.FilterPixelRows(source, static (_, _) => { }));
        Assert.StartsWith("The source shares pixels", e.Message, StringComparison.Ordinal);
        AssertThrows<ObjectDisposedException>(source, static source => source.FilterPixelRows(default(PixelLease<int>), static (_, _) => { }));
        AssertThrows<ArgumentNullException>(source, static source => source.FilterPixelRows(source, (PixelFilterAction<int, int>)null!));
    }

    [Fact]
    public void Arguments_are_checked()
    {
        using PixelBuffer<int> target = _allocator.Rent<int>(5, 5);
        using PixelBuffer<int> source = _allocator.Rent<int>(5, 5);
        PixelBuffer<int> disposed = _allocator.Rent<int>(5, 5);
        disposed.Dispose();
        Assert.Throws<ArgumentNullException>("source", () => target.FilterPixelRows((PixelBuffer<int>)null!, static (_, _) => { }));
        Assert.Throws<ArgumentNullException>("source", () => target.FilterPixelRowsInParallel((PixelBuffer<int>)null!, static (_, _) => { }));
        Assert.Throws<ArgumentNullException>("filter", () => target.FilterPixelRows(source, null!));
        Assert.Throws<ArgumentNullException>("filter", () => target.FilterPixelRows(source, 1, null!));
        Assert.Throws<ArgumentNullException>("filter", () => target.FilterPixelRowsInParallel(source, null!));
        Assert.Throws<ArgumentNullException>("filter", () => target.FilterPixelRowsInParallel(source, 1, null!));
        Assert.Throws<ArgumentOutOfRangeException>("maxDegreeOfParallelism", () => target.FilterPixelRowsInParallel(source, static (_, _) => { }, 0));
        Assert.Throws<ArgumentOutOfRangeException>("maxDegreeOfParallelism", () => target.FilterPixelRowsInParallel(source, static (_, _) => { }, -2));
        Assert.Throws<ObjectDisposedException>(() => target.FilterPixelRows(disposed, static (_, _) => { }));
        Assert.Throws<ObjectDisposedException>(() => disposed.FilterPixelRows(source, static (_, _) => { }));
        Assert.Throws<ObjectDisposedException>(() => target.FilterPixelRowsInParallel(disposed, static (_, _) => { }));
        Assert.Throws<OperationCanceledException>(() => target.FilterPixelRowsInParallel(source, static (_, _) => { }, cancellationToken: new CancellationToken(canceled: true)));
    }

    /// <summary>What the delegate throws comes out, and holds nothing.</summary>
    [Fact]
    public void A_filter_that_throws_holds_nothing()
    {
        PixelBuffer<int> target = _allocator.Rent<int>(5, 500);
        PixelBuffer<int> source = _allocator.Rent<int>(5, 500);
        Assert.Throws<TimeZoneNotFoundException>(() => target.FilterPixelRows(source, static (_, _) => throw new TimeZoneNotFoundException()));
        Assert.Throws<AggregateException>(() => target.FilterPixelRowsInParallel(source, static (_, _) => throw new TimeZoneNotFoundException()));
        target.Dispose();
        source.Dispose();
    }

    /// <summary>Both images are disposed by the delegate itself.</summary>
    [Fact]
    public void Memory_stays_valid_until_the_filter_returns()
    {
        PixelBuffer<int> target = _allocator.Rent<int>(5, 500);
        PixelBuffer<int> source = _allocator.Rent<int>(5, 500);
        target.FilterPixelRows(source, (target, source, _allocator), static (band, rows, images) =>
        {
            images.source.Fill(5);
            images.target.Dispose();
            images.source.Dispose();
            using PixelBuffer<int> other = images._allocator.Rent<int>(5, 500, AllocationOptions.Clean);
            band[4, 499] = rows[4, 499];
            Assert.Equal((5, 0), (band[4, 499], other[4, 499]));
        });
        Assert.True(target.IsDisposed);
    }

    private static void Run<TPixel, TSource>(PixelBuffer<TPixel> target, PixelBuffer<TSource> source, int degree, PixelFilterAction<TPixel, TSource> filter)
        where TPixel : unmanaged
        where TSource : unmanaged
    {
        if (degree == 0)
        {
            target.FilterPixelRows(source, filter);
        }
        else
        {
            target.FilterPixelRowsInParallel(source, filter, degree, Token);
        }
    }

    private static void Make<TPixel>(PixelAccessor<TPixel> band, ReadOnlyPixelAccessor<TPixel> source, Func<int, int, (int X, int Y)> from)
        where TPixel : unmanaged
    {
        for (int y = 0; y < band.Height; y++)
        {
            for (int x = 0; x < band.Width; x++)
            {
                (int sourceX, int sourceY) = from(x, band.FirstRow + y);
                band[x, y] = source[sourceX, sourceY];
            }
        }
    }

    private static int[] ReadClamped(ReadOnlyPixelAccessor<int> rows) =>
    [
        rows.GetRowSpanClamped(int.MinValue)[0],
        rows.GetRowSpanClamped(-1)[0],
        rows.GetRowSpanClamped(0)[0],
        rows.GetRowSpanClamped(2)[0],
        rows.GetRowSpanClamped(3)[0],
        rows.GetRowSpanClamped(int.MaxValue)[0],
    ];

    private static void AssertOutside(ReadOnlyPixelAccessor<int> rows, int y)
    {
        try
        {
            _ = rows.GetRowSpan(y);
            Assert.Fail("There is no such row.");
        }
        catch (ArgumentOutOfRangeException e)
        {
            Assert.Equal("y", e.ParamName);
        }
    }

    private static void AssertShared(PixelBuffer<uint> target, PixelBuffer<uint> source, bool inParallel)
    {
        ArgumentException e = Assert.Throws<ArgumentException>("source", () => Run(target, source, inParallel ? 2 : 0, static (_, _) => Assert.Fail("It must not be called.")));
        Assert.StartsWith("The source shares pixels with the image that is written", e.Message, StringComparison.Ordinal);
    }

    private static TException AssertThrows<TException>(PixelLease<int> lease, Action<PixelLease<int>> action)
        where TException : Exception =>
        Assert.Throws<TException>(() => action(lease));
}
