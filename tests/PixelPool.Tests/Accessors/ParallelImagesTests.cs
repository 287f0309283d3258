using System.Collections.Concurrent;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Accessors;

/// <summary>Bands of several images that belong together, their results, and how they end early.</summary>
public class ParallelImagesTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Rows_of_two_and_three_images_come_together(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<uint> source = TierSizes.Rent<uint>(allocator, tier);
        using PixelBuffer<uint> target = allocator.Rent<uint>(source.Width, source.Height);
        using PixelBuffer<ulong> wide = allocator.Rent<ulong>(source.Width, source.Height);
        PixelPattern.Write(source);
        source.ProcessPixelRowsInParallel(target, static (from, to) => Copy(from, to));
        PixelPattern.AssertHolds(target);
        target.Fill(0);
        source.ProcessPixelRowsInParallel(target, wide, static (from, to, last) =>
        {
            Assert.Equal((from.FirstRow, from.Height), (last.FirstRow, last.Height));
            Copy(from, to);
            for (int y = 0; y < from.Height; y++)
            {
                for (int x = 0; x < from.Width; x++)
                {
                    last[x, y] = 2UL * from[x, y];
                }
            }
        });
        PixelPattern.AssertHolds(target);
        Assert.Equal(2UL * source[source.Width - 1, source.Height - 1], wide[source.Width - 1, source.Height - 1]);
        target.Fill(0);
        source.ProcessPixelRowsInParallel(target, 1u, static (from, to, add) => to[0, 0] = from[0, 0] + add, maxDegreeOfParallelism: 2);
        Assert.Equal(source[0, 0] + 1, target[0, 0]);
        source.ProcessPixelRowsInParallel(target, wide, 2u, static (_, to, _, value) => to[0, 0] = value, cancellationToken: Token);
        Assert.Equal(2u, target[0, 0]);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(1080, 540)]
    [InlineData(1081, 541)]
    [InlineData(7, 4)]
    [InlineData(100, 25)]
    [InlineData(3, 1)]
    public void Subsampled_rows_stay_with_the_rows_they_belong_to(int height, int lower)
    {
        int ratio = (height + lower - 1) / lower;
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<byte> luma = allocator.Rent<byte>(300, height);
        using PixelBuffer<byte> image = allocator.Rent<byte>(150, lower);
        using PixelBuffer<byte> chroma = image.AsSubsampledPlane(ratio);
        chroma[149, lower - 1] = 9;
        Assert.Equal(9, image[149, lower - 1]);
        foreach (int degree in (int[])[1, 2, 5, -1])
        {
            int rows = 0;
            luma.ProcessPixelRowsInParallel(
                chroma,
                ratio,
                (y, c, ratio) =>
                {
                    Interlocked.Add(ref rows, y.Height);
                    Assert.Equal(c.FirstRow * ratio, y.FirstRow);
                    Assert.Equal(c.Height, (y.Height + ratio - 1) / ratio);
                },
                degree);
            Assert.Equal(height, rows);
            chroma.ProcessPixelRowsInParallel(luma, ratio, static (c, y, ratio) => Assert.Equal(c.FirstRow * ratio, y.FirstRow), degree);
        }
    }

    [Fact]
    public void Planes_of_one_image_belong_together_and_views_and_casts_of_them()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PlanarImage image = allocator.RentPlanar(PlanarLayout.Yuv420(90, 101, 2));
        using PixelBuffer<uint> picture = allocator.Rent<uint>(90, 101);
        using PixelBuffer<byte> left = image.Planes[2].View(0, 0, 44, 51);
        using PixelBuffer<ushort> pairs = left.Cast<ushort>();
        int rows = 0;
        picture.ProcessPixelRowsInParallel(image.Planes[1], pairs, (p, u, v) =>
        {
            Interlocked.Add(ref rows, u.Height);
            Assert.Equal((u.FirstRow, u.Height, 2 * u.FirstRow), (v.FirstRow, v.Height, p.FirstRow));
        });
        picture.ProcessPixelRowsInParallel<byte>([.. image.Planes], (p, planes) =>
        {
            Interlocked.Add(ref rows, planes[1].Height);
            Assert.Equal(p.Height, planes[0].Height);
            Assert.Equal(2 * planes[2].FirstRow, p.FirstRow);
        });
        Assert.Equal(2 * 51, rows);
        image.Planes[1].ProcessPixelRowsInParallel(image.Planes[2], static (u, v) => Assert.Equal(u.Height, v.Height));
    }

    [Theory]
    [InlineData(2, 50, 51)]
    [InlineData(2, 49, 50)]
    [InlineData(4, 25, 26)]
    public void Planes_of_other_heights_are_refused(int factor, int right, int wrong)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<byte> image = allocator.Rent<byte>(4, right * factor);
        using PixelBuffer<byte> whole = allocator.Rent<byte>(4, wrong);
        using PixelBuffer<byte> plane = whole.AsSubsampledPlane(factor);
        using PixelBuffer<byte> third = whole.AsSubsampledPlane(3);
        string message = Assert.Throws<ArgumentException>(() => image.ProcessPixelRowsInParallel(plane, static (_, _) => Assert.Fail())).Message;
        Assert.StartsWith($"Images of {right * factor} rows and {wrong} rows (each for {factor}) cannot be processed together.", message, StringComparison.Ordinal);

        // Each goes with the image, but they do not go with each other.
        using PixelBuffer<byte> odd = allocator.Rent<byte>(4, (right * factor) - 1);
        using PixelBuffer<byte> lower = allocator.Rent<byte>(4, right);
        using PixelBuffer<byte> fits = lower.AsSubsampledPlane(factor);
        odd.ProcessPixelRowsInParallel(fits, static (_, _) => { });
        Assert.Throws<ArgumentException>(() => odd.ProcessPixelRowsInParallel(fits, image, static (_, _, _) => Assert.Fail()));
        Assert.Throws<ArgumentException>(() => plane.ProcessPixelRowsInParallel(third, static (_, _) => Assert.Fail()));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(256)]
    [InlineData(int.MinValue)]
    public void Factors_that_are_none_are_refused(int factor)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<byte> image = allocator.Rent<byte>(4, 4);
        Assert.Throws<ArgumentOutOfRangeException>("verticalFactor", () => image.AsSubsampledPlane(factor));
        image.AsSubsampledPlane(255).Dispose();
    }

    [Fact]
    public void However_many_threads_may_come_not_every_row_is_a_band()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<byte> image = allocator.Rent<byte>(1, 1000 * Environment.ProcessorCount, AllocationOptions.Clean);
        (int bands, int rows) = (0, 0);
        image.ProcessPixelRowsInParallel(
            band =>
            {
                Interlocked.Increment(ref bands);
                Interlocked.Add(ref rows, band.Height);
            },
            int.MaxValue);
        Assert.Equal((64 * Environment.ProcessorCount, image.Height), (bands, rows));
    }

    [Fact]
    public void Threads_and_a_token_are_given_together()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<byte> image = allocator.Rent<byte>(3, 100, AllocationOptions.Clean);
        var cancelled = new CancellationToken(canceled: true);
        int bands = 0;
        image.ProcessPixelRowsInParallel(_ => Interlocked.Increment(ref bands), maxDegreeOfParallelism: 1, cancellationToken: Token);
        int ofOneThread = bands;
        image.ProcessPixelRowsInParallel(image, (_, _) => Interlocked.Increment(ref bands), 1, Token);
        image.ProcessPixelRowsInParallel(image, image, (_, _, _) => Interlocked.Increment(ref bands), 1, Token);
        Assert.Equal(3 * ofOneThread, bands);
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(static _ => Assert.Fail(), 1, cancelled));
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(image, static (_, _) => Assert.Fail(), 1, cancelled));
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(image, image, static (_, _, _) => Assert.Fail(), 1, cancelled));
        Assert.Throws<ArgumentOutOfRangeException>("maxDegreeOfParallelism", () => image.ProcessPixelRowsInParallel(static _ => Assert.Fail(), 0, Token));
    }

    [Fact]
    public void A_token_is_given_alone()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<byte> image = allocator.Rent<byte>(3, 100, AllocationOptions.Clean);
        var cancelled = new CancellationToken(canceled: true);
        int[] rows = new int[3];
        image.ProcessPixelRowsInParallel(a => Interlocked.Add(ref rows[0], a.Height), Token);
        image.ProcessPixelRowsInParallel(image, (a, _) => Interlocked.Add(ref rows[1], a.Height), Token);
        image.ProcessPixelRowsInParallel(image, image, (a, _, _) => Interlocked.Add(ref rows[2], a.Height), Token);
        Assert.Equal([100, 100, 100], rows);
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(static _ => Assert.Fail(), cancelled));
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(image, static (_, _) => Assert.Fail(), cancelled));
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(image, image, static (_, _, _) => Assert.Fail(), cancelled));
        Assert.Throws<ArgumentNullException>("process", () => image.ProcessPixelRowsInParallel((PixelAccessorAction<byte>)null!, Token));
        Assert.Throws<ArgumentNullException>("process", () => image.ProcessPixelRowsInParallel(image, (PixelAccessorAction<byte, byte>)null!, Token));
        Assert.Throws<ArgumentNullException>("process", () => image.ProcessPixelRowsInParallel(image, image, (PixelAccessorAction<byte, byte, byte>)null!, Token));
    }

    [Fact]
    public void As_many_rows_as_there_can_be_are_divided()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);

        // Nobody looks at the pixels, so there need not be any.
        using PixelBuffer<byte> tall = allocator.Wrap<byte>(4096, 1, int.MaxValue, 1);
        using PixelBuffer<byte> whole = allocator.Wrap<byte>(4096, 1, 1 << 30, 1);
        using PixelBuffer<byte> half = whole.AsSubsampledPlane(2);
        long rows = 0;
        tall.ProcessPixelRowsInParallel(half, (y, c) =>
        {
            Assert.Equal(2L * c.FirstRow, y.FirstRow);
            Interlocked.Add(ref rows, y.Height);
        });
        Assert.Equal(int.MaxValue, rows);
    }

    [Theory]
    [InlineData(100, 33)]
    [InlineData(10, 9)]
    [InlineData(7, 6)]
    [InlineData(3000, 10)]
    [InlineData(2, 1)]
    public void Rows_that_do_not_belong_together_are_refused(int height, int other)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<byte> first = allocator.Rent<byte>(10, height);
        using PixelBuffer<byte> second = allocator.Rent<byte>(10, other);
        Assert.Throws<ArgumentException>(() => first.ProcessPixelRowsInParallel(second, static (_, _) => Assert.Fail("It was called.")));
        Assert.Throws<ArgumentException>(() => second.ProcessPixelRowsInParallel(first, first, static (_, _, _) => Assert.Fail("It was called.")));
        Assert.Throws<ArgumentException>(() => first.ProcessPixelRowsInParallel<byte, int>([second, first], 1, static (_, _, _) => Assert.Fail("It was called.")));
        first.Dispose();
        second.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Planes_become_colours_on_several_threads()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<byte> y = allocator.Rent<byte>(101, 77);
        using PixelBuffer<byte> cb = allocator.Rent<byte>(51, 39);
        using PixelBuffer<byte> cr = allocator.Rent<byte>(51, 39);
        using PixelBuffer<byte> blue = cb.AsSubsampledPlane(2);
        using PixelBuffer<byte> red = cr.AsSubsampledPlane(2);
        using PixelBuffer<Rgb24> rgb = allocator.Rent<Rgb24>(101, 77);
        y.Fill(1);
        cb.Fill(2);
        cr.Fill(3);
        rgb.ProcessPixelRowsInParallel<byte, int>(
            [y, blue, red],
            10,
            static (target, planes, scale) =>
            {
                Assert.Equal(3, planes.Count);
                for (int row = 0; row < target.Height; row++)
                {
                    for (int x = 0; x < target.Width; x++)
                    {
                        target[x, row] = new Rgb24((byte)(planes[0][x, row] * scale), planes[1][x / 2, row / 2], planes[2][x / 2, row / 2]);
                    }
                }
            });
        rgb.ProcessPixelRowsInParallel<byte>([y, y], static (target, planes) => Assert.Equal(planes[0].FirstRow + planes[1].FirstRow, 2 * target.FirstRow));
        rgb.ProcessPixelRows(static pixels =>
        {
            foreach (Span<Rgb24> row in pixels)
            {
                Assert.Equal(-1, row.IndexOfAnyExcept(new Rgb24(10, 2, 3)));
            }
        });
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Results_of_bands_are_combined_in_the_order_of_the_rows(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        using PixelBuffer<uint> other = allocator.Rent<uint>(image.Width, image.Height);
        image.Fill(2);
        other.Fill(3);
        foreach (int degree in (int[])[1, 2, 7, -1])
        {
            long sum = image.ProcessPixelRowsInParallel(0L, static (band, start) => start + Sum(band), static (a, b) => a + b, degree, Token);
            Assert.Equal(2L * image.Width * image.Height, sum);
            string rows = image.ProcessPixelRowsInParallel(' ', static (band, separator) => $"{band.FirstRow}{separator}{band.Height}", static (a, b) => $"{a},{b}", degree);
            int next = 0;
            foreach (string[] band in rows.Split(',').Select(static band => band.Split(' ')))
            {
                Assert.Equal(next, int.Parse(band[0]));
                next += int.Parse(band[1]);
            }

            Assert.Equal(image.Height, next);
            Assert.Equal(5L * image.Width * image.Height, image.ProcessPixelRowsInParallel(other, 1L, static (a, b, one) => (Sum(a) + Sum(b)) * one, static (a, b) => a + b, degree));
            Assert.Equal(
                7L * image.Width * image.Height,
                image.ProcessPixelRowsInParallel(other, image, 1L, static (a, b, c, one) => (Sum(a) + Sum(b) + Sum(c)) * one, static (a, b) => a + b, degree));
        }
    }

    [Fact]
    public void What_is_cancelled_starts_no_more_bands()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<byte> image = allocator.Rent<byte>(4, 1000);
        using var source = new CancellationTokenSource();
        int bands = 0;
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(
            0,
            (_, _) =>
            {
                bands++;
                source.Cancel();
            },
            maxDegreeOfParallelism: 1,
            source.Token));
        Assert.Equal(1, bands);
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(_ => bands++, source.Token));
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(image, (_, _) => bands++, source.Token));
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(image, image, (_, _, _) => bands++, source.Token));
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(0, (_, _) => bands++, static (a, b) => a + b, cancellationToken: source.Token));
        Assert.Equal(1, bands);
        image.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void What_a_delegate_or_a_combination_throws_leaves_nothing_held()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        PixelBuffer<byte> image = allocator.Rent<byte>(1000, 500);
        PixelBuffer<byte> other = allocator.Rent<byte>(1000, 500);
        Assert.Throws<AggregateException>(() => image.ProcessPixelRowsInParallel(other, static (_, _) => throw new InvalidOperationException()));
        Assert.Throws<InvalidOperationException>(
            () => image.ProcessPixelRowsInParallel(other, 0, static (_, _, _) => 1, static (_, _) => throw new InvalidOperationException(), 2));
        other.Dispose();
        Assert.Throws<ObjectDisposedException>(() => image.ProcessPixelRowsInParallel(other, static (_, _) => Assert.Fail("It was called.")));
        Assert.Throws<ObjectDisposedException>(() => image.ProcessPixelRowsInParallel<byte, int>([image, other], 0, static (_, _, _) => Assert.Fail("It was called.")));
        image.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Images_that_are_disposed_meanwhile_stay_until_the_last_band_ends()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        PixelBuffer<uint> image = allocator.Rent<uint>(1000, 100);
        PixelBuffer<uint> other = allocator.Rent<uint>(1000, 100);
        image.Fill(4);
        var seen = new ConcurrentBag<uint>();
        image.ProcessPixelRowsInParallel(other, (from, to) =>
        {
            image.Dispose();
            other.Dispose();
            Copy(from, to);
            seen.Add(to[0, 0]);
        });
        Assert.All(seen, static value => Assert.Equal(4u, value));
        TierSizes.AssertQuiet(allocator);
    }

    private static void Copy(PixelAccessor<uint> from, PixelAccessor<uint> to)
    {
        Assert.Equal((from.FirstRow, from.Height), (to.FirstRow, to.Height));
        for (int y = 0; y < from.Height; y++)
        {
            from.GetRowSpan(y).CopyTo(to.GetRowSpan(y));
        }
    }

    private static long Sum(PixelAccessor<uint> band)
    {
        long sum = 0;
        foreach (Span<uint> row in band)
        {
            foreach (uint pixel in row)
            {
                sum += pixel;
            }
        }

        return sum;
    }
}
