using System.Runtime.InteropServices;

namespace PixelPool.Tests.Buffers;

/// <summary>Whole images in and out of spans, with and without gaps between rows.</summary>
public class CopyTests
{
    private const byte Gap = 0xCD;

    public static TheoryData<MemoryTier, int> Cases => TierSizes.AllWithPixelBytes;

    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(Cases))]
    public void Copies_with_a_stride_leave_the_gaps_alone(MemoryTier tier, int pixelBytes) => PixelTypes.Call(pixelBytes, CopyWithGaps<byte>, tier);

    [Fact]
    public void The_stride_of_a_span_of_pixels_counts_pixels()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<uint> image = allocator.Rent<uint>(10, 10);
        uint[] pixels = [.. Enumerable.Range(0, 100 * 100).Select(static pixel => (uint)pixel)];
        image.CopyFrom(pixels, 100);
        uint[] copy = new uint[100 * 100];
        image.CopyTo(copy, 100);
        for (int y = 0; y < 10; y++)
        {
            for (int x = 0; x < 10; x++)
            {
                Assert.Equal((uint)((100 * y) + x), image[x, y]);
            }
        }

        for (int y = 0; y < 10; y++)
        {
            Assert.Equal(pixels.AsSpan(100 * y, 10), copy.AsSpan(100 * y, 10));
            Assert.False(copy.AsSpan((100 * y) + 10, 90).ContainsAnyExcept(0u));
        }
    }

    // Bytes that are pixels: both overloads have the same types then.
    [Fact]
    public void The_stride_of_bytes_that_are_pixels_counts_either()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<byte> image = allocator.Rent<byte>(2, 2);
        byte[] array = [1, 2, 3, 4, 5];
        image.CopyFrom(array, 3);
        AssertIs(1, 2, 4, 5);
        image.CopyFrom(array.AsSpan(), 2);
        AssertIs(1, 2, 3, 4);
        image.CopyFrom((ReadOnlySpan<byte>)array, 3);
        AssertIs(1, 2, 4, 5);
        CopyFromPixels(image, array, 2);
        AssertIs(1, 2, 3, 4);

        byte[] copy = new byte[5];
        image.CopyTo(copy, 3);
        Assert.Equal<byte>([1, 2, 0, 3, 4], copy);
        image.CopyTo(copy.AsSpan(), 2);
        Assert.Equal<byte>([1, 2, 3, 4, 4], copy);
        CopyToPixels(image, copy, 3);
        Assert.Equal<byte>([1, 2, 3, 3, 4], copy);

        void AssertIs(params ReadOnlySpan<byte> expected) => PixelPattern.AssertRows(image, expected.ToArray());

        static void CopyFromPixels<TPixel>(PixelBuffer<TPixel> image, ReadOnlySpan<TPixel> pixels, int stride)
            where TPixel : unmanaged => image.CopyFrom(pixels, stride);

        static void CopyToPixels<TPixel>(PixelBuffer<TPixel> image, Span<TPixel> pixels, int stride)
            where TPixel : unmanaged => image.CopyTo(pixels, stride);
    }

    [Fact]
    public void Errors_count_what_the_span_is_made_of()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<uint> image = allocator.Rent<uint>(5, 4);
        AssertSays<ArgumentException>(
            "The span has 22 pixels. It must have at least 23, for 4 rows of 5 pixels with a stride of 6 pixels.", () => image.CopyTo(new uint[22], 6));
        AssertSays<ArgumentException>(
            "The span has 19 pixels. It must have at least 20, for 4 rows of 5 pixels with a stride of 5 pixels.", () => image.CopyTo(new uint[19]));
        AssertSays<ArgumentException>(
            "The span has 91 bytes. It must have at least 92, for 4 rows of 20 bytes with a stride of 24 bytes.", () => image.CopyFrom(new byte[91], 24));
        AssertSays<ArgumentOutOfRangeException>(
            "A row has 5 pixels: the stride must be at least that.", () => image.CopyFrom(new uint[22], 4));
        AssertSays<ArgumentOutOfRangeException>(
            "A row has 20 bytes: the stride must be at least that.", () => image.CopyTo(new byte[400], 19));
        using PixelBuffer<uint> pixel = allocator.Rent<uint>(1, 1);
        AssertSays<ArgumentException>(
            "The span has 0 pixels. It must have at least 1, for 1 row of 1 pixel with a stride of 1 pixel.", () => pixel.CopyTo(Span<uint>.Empty));

        static void AssertSays<TException>(string message, Action copy)
            where TException : Exception => Assert.StartsWith(message, Assert.Throws<TException>(copy).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Spans_that_are_too_short_are_refused_and_nothing_is_copied()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<uint> image = allocator.Rent<uint>(5, 4);
        PixelPattern.Write(image);
        uint[] pixels = new uint[24];
        byte[] bytes = new byte[96];
        AssertRefused("destination", () => image.CopyTo(pixels.AsSpan(0, 19)));
        AssertRefused("destination", () => image.CopyTo(Span<uint>.Empty));
        AssertRefused("destination", () => image.CopyTo(pixels.AsSpan(0, 22), 6));
        AssertRefused("destination", () => image.CopyTo(pixels, int.MaxValue));
        AssertRefused("destination", () => image.CopyTo(bytes.AsSpan(0, 79), 20));
        AssertRefused("destination", () => image.CopyTo(bytes.AsSpan(0, 91), 24));
        AssertRefused("destination", () => image.CopyTo(bytes, int.MaxValue));
        AssertRefused("source", () => image.CopyFrom(pixels.AsSpan(0, 19)));
        AssertRefused("source", () => image.CopyFrom(default(ReadOnlySpan<uint>)));
        AssertRefused("source", () => image.CopyFrom(pixels.AsSpan(0, 22), 6));
        AssertRefused("source", () => image.CopyFrom(pixels, int.MaxValue));
        AssertRefused("source", () => image.CopyFrom(bytes.AsSpan(0, 79), 20));
        AssertRefused("source", () => image.CopyFrom(bytes.AsSpan(0, 91), 24));
        AssertRefused("source", () => image.CopyFrom(bytes, int.MaxValue));
        Assert.DoesNotContain(pixels, pixel => pixel != 0);
        Assert.DoesNotContain(bytes, value => value != 0);
        PixelPattern.AssertHolds(image);

        // The last row needs no gap behind it.
        image.CopyTo(pixels.AsSpan(0, 23), 6);
        image.CopyFrom(pixels.AsSpan(0, 23), 6);
        image.CopyTo(bytes.AsSpan(0, 92), 24);
        image.CopyFrom(bytes.AsSpan(0, 92), 24);
        PixelPattern.AssertHolds(image);

        static void AssertRefused(string name, Action copy) => Assert.Equal(name, Assert.Throws<ArgumentException>(copy).ParamName);
    }

    [Theory]
    [InlineData(4, 19)]
    [InlineData(0, 0)]
    [InlineData(-5, -20)]
    [InlineData(int.MinValue, int.MinValue)]
    public void Strides_shorter_than_a_row_are_out_of_range(int pixels, int bytes)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<uint> image = allocator.Rent<uint>(5, 4);
        AssertRefused(() => image.CopyTo(new uint[100].AsSpan(), pixels));
        AssertRefused(() => image.CopyTo(new byte[400].AsSpan(), bytes));
        AssertRefused(() => image.CopyFrom(new uint[100].AsSpan(), pixels));
        AssertRefused(() => image.CopyFrom(new byte[400].AsSpan(), bytes));

        static void AssertRefused(Action copy) => Assert.Equal("stride", Assert.Throws<ArgumentOutOfRangeException>(copy).ParamName);
    }

    [Fact]
    public unsafe void Spans_of_more_than_two_gigabytes_are_served()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<UInt128> image = allocator.Rent<UInt128>(5, 4);
        PixelPattern.Write(image);
        var pixels = new UInt128[20];
        fixed (UInt128* start = pixels)
        {
            // Longer than its memory, of which only what the image needs is touched.
            var large = new Span<UInt128>(start, 140_000_000);
            image.CopyTo(large);
            PixelPattern.AssertSame<UInt128>(PixelPattern.Expected<UInt128>(5, 4), pixels);
            image.Clear();
            image.CopyFrom(large);
            PixelPattern.AssertHolds(image);
            image.CopyTo(large, 5);
            image.CopyFrom(large, 5);
            PixelPattern.AssertHolds(image);

            // A single row is served whatever the stride, though that is more than an int in bytes.
            using PixelBuffer<UInt128> row = image.View(0, 0, 5, 1);
            row.CopyTo(large, int.MaxValue);
            row.CopyFrom(large, int.MaxValue);
            PixelPattern.AssertHolds(image);
        }
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Images_are_copied_between_all_tiers(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.SeveralBlocks);
        options.RowAlignmentBytes = 64;
        using PixelAllocator aligned = PixelAllocator.Create(options);
        using PixelBuffer<Rgb24> from = TierSizes.Rent<Rgb24>(allocator, tier);
        PixelPattern.Write(from);
        using PixelBuffer<Rgb24> to = aligned.Rent<Rgb24>(from.Width, from.Height);
        from.CopyTo(to);
        PixelPattern.AssertHolds(to);
        PixelPattern.Fill(from, 0);
        to.CopyTo(from);
        PixelPattern.AssertHolds(from);
        from.CopyTo(from);
        PixelPattern.AssertHolds(from);
    }

    [Fact]
    public void Images_of_another_size_are_refused()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<uint> image = allocator.Rent<uint>(5, 4);
        foreach ((int width, int height) in ((int, int)[])[(4, 5), (5, 3), (6, 4), (20, 1), (5, 5)])
        {
            using PixelBuffer<uint> other = allocator.Rent<uint>(width, height);
            Assert.Equal("destination", Assert.Throws<ArgumentException>(() => image.CopyTo(other)).ParamName);
        }
    }

    [Theory]
    [InlineData(MemoryTier.OneBlock)]
    [InlineData(MemoryTier.SeveralBlocks)]
    [InlineData(MemoryTier.ContiguousLarge)]
    public void Overlapping_views_are_copied_as_if_through_a_third_image(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        int width = image.Width - 6;
        int height = image.Height - 6;
        for (int dy = -3; dy <= 3; dy++)
        {
            for (int dx = -3; dx <= 3; dx++)
            {
                PixelPattern.Write(image);
                uint[] expected = PixelPattern.Expected<uint>(image.Width, image.Height);
                for (int y = 0; y < height; y++)
                {
                    for (int x = 0; x < width; x++)
                    {
                        expected[((3 + dy + y) * image.Width) + 3 + dx + x] = PixelPattern.Value<uint>(3 + x, 3 + y);
                    }
                }

                using PixelBuffer<uint> from = image.View(3, 3, width, height);
                using PixelBuffer<uint> to = image.View(3 + dx, 3 + dy, width, height);
                from.CopyTo(to);
                PixelPattern.AssertRows(image, expected);
            }
        }
    }

    /// <summary>Of a long run the first pixels are filled, and copied on.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(1023)]
    [InlineData(1024)]
    [InlineData(1025)]
    [InlineData(2048)]
    [InlineData(5000)]
    public void Every_pixel_of_a_run_is_filled_and_cleared(int pixels)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<Rgb24> image = allocator.Rent<Rgb24>(pixels, 1);
        var value = new Rgb24(1, 2, 3);
        image.Fill(value);
        Assert.True(image.TryProcessSinglePixelSpan(all => Assert.Equal(-1, all.IndexOfAnyExcept(value))));
        image.Clear();
        Assert.True(image.TryProcessSinglePixelSpan(static all => Assert.Equal(-1, all.IndexOfAnyExcept(default(Rgb24)))));
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Fill_and_clear_leave_the_gaps_alone(MemoryTier tier)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.RowAlignmentBytes = 64;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, tier, rowAlignmentBytes: 64);
        Assert.True(image.Stride > image.Width * 3);
        ForEachWholeRow(image, static row => row.Fill(Gap));
        image.Fill(new Rgb24(1, 1, 1));
        ForEachWholeRow(image, row => AssertRow(row, 1));
        image.Clear();
        ForEachWholeRow(image, row => AssertRow(row, 0));
        image.CopyFrom(new Rgb24[image.Width * image.Height]);
        image.ReadFrom(new MemoryStream(new byte[image.Width * image.Height * 3]));
        ForEachWholeRow(image, row => AssertRow(row, 0));

        void AssertRow(Span<byte> row, byte value)
        {
            Assert.False(row[..(image.Width * 3)].ContainsAnyExcept(value));
            Assert.False(row[(image.Width * 3)..].ContainsAnyExcept(Gap));
        }
    }

    private static unsafe void ForEachWholeRow(PixelBuffer<Rgb24> image, SpanAction<byte> process)
    {
        for (int y = 0; y < image.Height; y++)
        {
            using PixelBuffer<Rgb24> row = image.View(0, y, image.Width, 1);
            using PinnedPixels pin = row.Pin();
            process(new Span<byte>(pin.Pointer, pin.Stride));
        }
    }

    private static unsafe void CopyWithGaps<TPixel>(MemoryTier tier)
        where TPixel : unmanaged
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<TPixel> image = TierSizes.Rent<TPixel>(allocator, tier);
        PixelPattern.Write(image);
        int rowBytes = image.Width * sizeof(TPixel);
        foreach (int gap in (int[])[0, 1, 100])
        {
            // Between pixels.
            TPixel[] pixels = new TPixel[(image.Width + gap) * image.Height];
            MemoryMarshal.AsBytes(pixels.AsSpan()).Fill(Gap);
            image.CopyTo(pixels.AsSpan(), image.Width + gap);
            for (int y = 0; y < image.Height; y++)
            {
                Span<TPixel> row = pixels.AsSpan(y * (image.Width + gap), image.Width + gap);
                PixelPattern.AssertSame(image.DangerousGetRowSpan(y), row[..image.Width], y);
                Assert.False(MemoryMarshal.AsBytes(row[image.Width..]).ContainsAnyExcept(Gap));
            }

            PixelPattern.Fill(image, 0);
            image.CopyFrom(pixels.AsSpan(), image.Width + gap);
            PixelPattern.AssertHolds(image);
        }

        foreach (int gap in (int[])[0, 1, sizeof(TPixel), 100])
        {
            // Between bytes.
            int stride = rowBytes + gap;
            byte[] bytes = new byte[stride * image.Height];
            bytes.AsSpan().Fill(Gap);
            image.CopyTo(bytes, stride);
            for (int y = 0; y < image.Height; y++)
            {
                PixelPattern.AssertSame(image.DangerousGetRowSpan(y), MemoryMarshal.Cast<byte, TPixel>(bytes.AsSpan(y * stride, rowBytes)), y);
                Assert.False(bytes.AsSpan((y * stride) + rowBytes, gap).ContainsAnyExcept(Gap));
            }

            PixelPattern.Fill(image, 0);
            image.CopyFrom(bytes, stride);
            PixelPattern.AssertHolds(image);
        }
    }
}
