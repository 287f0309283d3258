using System.Runtime.InteropServices;

namespace PixelPool.Tests.Buffers;

/// <summary>Whole images in and out of spans, with and without gaps between rows.</summary>
public class CopyTests
{
    private const byte Gap = 0xCD;

    public static TheoryData<MemoryTier, int> Cases => Tiers.AllWithPixelBytes;

    public static TheoryData<MemoryTier> AllTiers => Tiers.All;

    [Theory]
    [MemberData(nameof(Cases))]
    public void Copies_with_a_stride_leave_the_gaps_alone(MemoryTier tier, int pixelBytes) => PixelTypes.Call(pixelBytes, CopyWithGaps<byte>, tier);

    [Fact]
    public void Spans_that_are_too_short_are_refused_and_nothing_is_copied()
    {
        using PixelAllocator allocator = Tiers.Create(MemoryTier.Array);
        using PixelBuffer<uint> image = allocator.Rent<uint>(5, 4);
        PixelPattern.Write(image);
        uint[] pixels = new uint[24];
        byte[] bytes = new byte[96];
        AssertRefused("destination", () => image.CopyTo(pixels.AsSpan(0, 19)));
        AssertRefused("destination", () => image.CopyTo(Span<uint>.Empty));
        AssertRefused("destination", () => image.CopyTo(pixels.AsSpan(0, 22), 24));
        AssertRefused("destination", () => image.CopyTo(bytes.AsSpan(0, 79), 20));
        AssertRefused("destination", () => image.CopyTo(bytes.AsSpan(0, 91), 24));
        AssertRefused("destination", () => image.CopyTo(bytes, int.MaxValue));
        AssertRefused("source", () => image.CopyFrom(pixels.AsSpan(0, 19)));
        AssertRefused("source", () => image.CopyFrom(default(ReadOnlySpan<uint>)));
        AssertRefused("source", () => image.CopyFrom(pixels.AsSpan(0, 22), 24));
        AssertRefused("source", () => image.CopyFrom(bytes.AsSpan(0, 79), 20));
        AssertRefused("source", () => image.CopyFrom(bytes.AsSpan(0, 91), 24));
        AssertRefused("source", () => image.CopyFrom(bytes, int.MaxValue));
        Assert.DoesNotContain(pixels, pixel => pixel != 0);
        Assert.DoesNotContain(bytes, value => value != 0);
        PixelPattern.AssertHolds(image);

        // The last row needs no gap behind it.
        image.CopyTo(pixels.AsSpan(0, 23), 24);
        image.CopyTo(bytes.AsSpan(0, 92), 24);
        image.CopyFrom(bytes.AsSpan(0, 92), 24);
        PixelPattern.AssertHolds(image);

        static void AssertRefused(string name, Action copy) => Assert.Equal(name, Assert.Throws<ArgumentException>(copy).ParamName);
    }

    [Theory]
    [InlineData(19)]
    [InlineData(0)]
    [InlineData(-20)]
    [InlineData(int.MinValue)]
    public void Strides_shorter_than_a_row_are_out_of_range(int stride)
    {
        using PixelAllocator allocator = Tiers.Create(MemoryTier.Array);
        using PixelBuffer<uint> image = allocator.Rent<uint>(5, 4);
        AssertRefused(() => image.CopyTo(new uint[100].AsSpan(), stride));
        AssertRefused(() => image.CopyTo(new byte[400].AsSpan(), stride));
        AssertRefused(() => image.CopyFrom(new uint[100].AsSpan(), stride));
        AssertRefused(() => image.CopyFrom(new byte[400].AsSpan(), stride));

        static void AssertRefused(Action copy) => Assert.Equal("stride", Assert.Throws<ArgumentOutOfRangeException>(copy).ParamName);
    }

    [Fact]
    public unsafe void Spans_of_more_than_two_gigabytes_are_served()
    {
        using PixelAllocator allocator = Tiers.Create(MemoryTier.Array);
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
            image.CopyTo(large, 80);
            image.CopyFrom(large, 80);
            PixelPattern.AssertHolds(image);
        }
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Images_are_copied_between_all_tiers(MemoryTier tier)
    {
        using PixelAllocator allocator = Tiers.Create(tier);
        PixelAllocatorOptions options = Tiers.Options(MemoryTier.SeveralBlocks);
        options.RowAlignmentBytes = 64;
        using PixelAllocator aligned = PixelAllocator.Create(options);
        using PixelBuffer<Rgb24> from = Tiers.Rent<Rgb24>(allocator, tier);
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
        using PixelAllocator allocator = Tiers.Create(MemoryTier.Array);
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
        using PixelAllocator allocator = Tiers.Create(tier);
        using PixelBuffer<uint> image = Tiers.Rent<uint>(allocator, tier);
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

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Fill_and_clear_leave_the_gaps_alone(MemoryTier tier)
    {
        PixelAllocatorOptions options = Tiers.Options(tier);
        options.RowAlignmentBytes = 64;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using PixelBuffer<Rgb24> image = Tiers.Rent<Rgb24>(allocator, tier, rowAlignmentBytes: 64);
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
        using PixelAllocator allocator = Tiers.Create(tier);
        using PixelBuffer<TPixel> image = Tiers.Rent<TPixel>(allocator, tier);
        PixelPattern.Write(image);
        int rowBytes = image.Width * sizeof(TPixel);
        foreach (int gap in (int[])[0, 1, sizeof(TPixel), 100])
        {
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

            // The same with a span of pixels, which may end between two of them.
            TPixel[] pixels = MemoryMarshal.Cast<byte, TPixel>((byte[])[.. bytes, .. new byte[sizeof(TPixel)]]).ToArray();
            PixelPattern.Fill(image, 0);
            image.CopyFrom(pixels.AsSpan(), stride);
            PixelPattern.AssertHolds(image);
            Array.Clear(pixels);
            image.CopyTo(pixels.AsSpan(), stride);
            image.CopyFrom(pixels.AsSpan(), stride);
            PixelPattern.AssertHolds(image);
        }
    }
}
