using System.Collections.Concurrent;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Accessors;

/// <summary>Bands of whole rows on several threads.</summary>
public class ParallelTests
{
    public static TheoryData<MemoryTier, int> Cases
    {
        get
        {
            var data = new TheoryData<MemoryTier, int>();
            foreach (MemoryTier tier in Enum.GetValues<MemoryTier>())
            {
                foreach (int degree in (int[])[-1, 1, 2, 7, 1000, int.MaxValue])
                {
                    data.Add(tier, degree);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Every_row_is_processed_once_and_knows_its_place(MemoryTier tier, int degree)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier))
        {
            AssertEveryRowOnce(image, degree);
            PixelPattern.AssertHolds(image);
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(1000)]
    public void Any_height_is_divided_into_bands_without_gaps(int height)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<uint> image = allocator.Rent<uint>(3, height);
        foreach (int degree in (int[])[1, 2, 3, 16, -1])
        {
            AssertEveryRowOnce(image, degree);
        }
    }

    [Fact]
    public void Bands_of_a_view_count_from_its_first_row()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks);
        PixelPattern.Write(image);
        int x = 5;
        int y = image.RowsPerBlock - 3;
        using PixelBuffer<uint> view = image.View(x, y, 20, image.RowsPerBlock + 7);
        PixelPattern.AssertHolds(view, x, y);
        AssertEveryRowOnce(view, 3);
        PixelPattern.AssertHolds(view);
        using PixelBuffer<uint> above = image.View(0, 0, image.Width, y);
        using PixelBuffer<uint> left = image.View(0, y, x, view.Height);
        using PixelBuffer<uint> below = image.View(0, y + view.Height, image.Width, image.Height - y - view.Height);
        PixelPattern.AssertHolds(above);
        PixelPattern.AssertHolds(left, 0, y);
        PixelPattern.AssertHolds(below, 0, y + view.Height);
    }

    [Fact]
    public void A_band_has_no_rows_of_its_neighbours()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<byte> image = TierSizes.Rent<byte>(allocator, MemoryTier.SeveralBlocks);
        int bands = 0;
        image.ProcessPixelRowsInParallel(
            accessor =>
            {
                Interlocked.Increment(ref bands);
                foreach (int y in (int[])[-1, accessor.Height, int.MaxValue])
                {
                    try
                    {
                        accessor.GetRowSpan(y);
                    }
                    catch (ArgumentOutOfRangeException)
                    {
                        continue;
                    }

                    Assert.Fail($"A band of {accessor.Height} rows has row {y}.");
                }

                int rows = 0;
                foreach (Span<byte> row in accessor)
                {
                    Assert.Equal(accessor.Width, row.Length);
                    rows++;
                }

                Assert.Equal(accessor.Height, rows);
            },
            maxDegreeOfParallelism: 2);
        Assert.True(bands > 1);
    }

    [Fact]
    public void All_threads_share_the_state()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<byte> image = TierSizes.Rent<byte>(allocator, MemoryTier.SeveralBlocks);
        var rows = new ConcurrentBag<int>();
        image.ProcessPixelRowsInParallel(rows, static (accessor, rows) => rows.Add(accessor.Height), maxDegreeOfParallelism: 4);
        Assert.Equal(image.Height, rows.Sum());
    }

    [Fact]
    public void A_degree_of_one_stays_on_this_thread_at_a_time()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<byte> image = TierSizes.Rent<byte>(allocator, MemoryTier.OneBlock);
        int running = 0;
        image.ProcessPixelRowsInParallel(
            _ =>
            {
                Assert.Equal(1, Interlocked.Increment(ref running));
                Interlocked.Decrement(ref running);
            },
            maxDegreeOfParallelism: 1);
    }

    [Fact]
    public void A_degree_of_two_really_runs_two_at_once()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<byte> image = TierSizes.Rent<byte>(allocator, MemoryTier.OneBlock);
        using var both = new CountdownEvent(2);
        int first = 0;
        image.ProcessPixelRowsInParallel(
            _ =>
            {
                if (Interlocked.Increment(ref first) <= 2)
                {
                    both.Signal();
                    Assert.True(both.Wait(TimeSpan.FromMinutes(1)), "The second band waits for the first one.");
                }
            },
            maxDegreeOfParallelism: 2);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-2)]
    [InlineData(int.MinValue)]
    public void Degrees_below_one_are_out_of_range(int degree)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<byte> image = TierSizes.Rent<byte>(allocator, MemoryTier.Array);
        Assert.Equal(
            "maxDegreeOfParallelism",
            Assert.Throws<ArgumentOutOfRangeException>(() => image.ProcessPixelRowsInParallel(_ => Assert.Fail("Called."), degree)).ParamName);
        Assert.Equal(
            "maxDegreeOfParallelism",
            Assert.Throws<ArgumentOutOfRangeException>(() => image.ProcessPixelRowsInParallel(1, (_, _) => Assert.Fail("Called."), degree)).ParamName);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void Exceptions_of_all_bands_come_together(int degree)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using (PixelBuffer<byte> image = TierSizes.Rent<byte>(allocator, MemoryTier.SeveralBlocks))
        {
            AggregateException exception = Assert.Throws<AggregateException>(
                () => image.ProcessPixelRowsInParallel(accessor => throw new FormatException($"{accessor.FirstRow}"), degree));
            Assert.NotEmpty(exception.InnerExceptions);
            Assert.All(exception.InnerExceptions, inner => Assert.IsType<FormatException>(inner));
            AssertEveryRowOnce(image, degree);
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void An_image_that_a_band_disposes_lasts_until_the_last_band_is_done()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks);
        PixelPattern.Write(image);
        int rows = 0;
        image.ProcessPixelRowsInParallel(
            accessor =>
            {
                image.Dispose();
                for (int y = 0; y < accessor.Height; y++)
                {
                    Assert.Equal(PixelPattern.Value<uint>(7, accessor.FirstRow + y), accessor.GetRowSpan(y)[7]);
                }

                Interlocked.Add(ref rows, accessor.Height);
            },
            maxDegreeOfParallelism: 3);
        Assert.Equal(image.Height, rows);
        TierSizes.AssertQuiet(allocator);
    }

    // Counts the rows, and leaves the pattern in them.
    private static void AssertEveryRowOnce<TPixel>(PixelBuffer<TPixel> image, int degree)
        where TPixel : unmanaged
    {
        var visits = new int[image.Height];
        image.ProcessPixelRowsInParallel(
            accessor =>
            {
                Assert.Equal(image.Width, accessor.Width);
                Assert.InRange(accessor.Height, 1, image.Height);
                for (int y = 0; y < accessor.Height; y++)
                {
                    int row = accessor.FirstRow + y;
                    Interlocked.Increment(ref visits[row]);
                    Span<TPixel> pixels = accessor.GetRowSpan(y);
                    for (int x = 0; x < pixels.Length; x++)
                    {
                        pixels[x] = PixelPattern.Value<TPixel>(x, row);
                    }
                }
            },
            degree);
        Assert.All(visits, count => Assert.Equal(1, count));
    }
}
