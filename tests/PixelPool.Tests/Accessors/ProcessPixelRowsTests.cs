using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Accessors;

/// <summary>Delegates over one, two and three images, with and without a state.</summary>
public class ProcessPixelRowsTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Images_of_different_sizes_and_pixel_types_are_processed_together(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<byte> first = TierSizes.Rent<byte>(allocator, tier);
        using PixelBuffer<Rgb24> second = allocator.Rent<Rgb24>(400, 300);
        using PixelBuffer<ulong> third = allocator.Rent<ulong>(3, 5);
        first.ProcessPixelRows(second, third, static (one, two, three) =>
        {
            for (int y = 0; y < one.Height; y++)
            {
                one.GetRowSpan(y).Fill(1);
            }

            foreach (Span<Rgb24> row in two)
            {
                row.Fill(new Rgb24(2, 2, 2));
            }

            for (int y = 0; y < three.Height; y++)
            {
                three.GetRowSpan(y).Fill(0x0303_0303_0303_0303);
            }
        });
        PixelPattern.AssertEveryByte(first, 1);
        PixelPattern.AssertEveryByte(second, 2);
        PixelPattern.AssertEveryByte(third, 3);

        second.ProcessPixelRows(first, (two, one) =>
        {
            Assert.Equal((400, 300), (two.Width, two.Height));
            Assert.Equal((first.Width, first.Height), (one.Width, one.Height));
            Assert.Equal(1, one.GetRowSpan(one.Height - 1)[0]);
            Assert.Equal(new Rgb24(2, 2, 2), two.GetRowSpan(299)[399]);
        });
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void The_same_image_may_be_passed_twice_and_thrice(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<uint> buffer = TierSizes.Rent<uint>(allocator, tier))
        {
            buffer.ProcessPixelRows(buffer, static (one, two) =>
            {
                for (int y = 0; y < one.Height; y++)
                {
                    Assert.True(one.GetRowSpan(y) == two.GetRowSpan(y));
                }

                one.GetRowSpan(1).Fill(5);
                Assert.Equal(5u, two.GetRowSpan(1)[^1]);
            });
            buffer.ProcessPixelRows(buffer, buffer, static (one, two, three) =>
            {
                Assert.True(one.GetRowSpan(1) == three.GetRowSpan(1));
                Assert.True(two.GetRowSpan(0) == three.GetRowSpan(0));
            });
            buffer.ProcessPixelRows(buffer, buffer, 1, static (one, _, three, y) => Assert.True(one.GetRowSpan(y) == three.GetRowSpan(y)));
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_state_is_passed_to_every_kind_of_delegate()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<byte> one = allocator.Rent<byte>(1, 1);
        using PixelBuffer<int> two = allocator.Rent<int>(2, 2);
        using PixelBuffer<long> three = allocator.Rent<long>(3, 3);
        var state = new int[1];
        one.ProcessPixelRows(state, static (a, state) => state[0] += a.Width);
        one.ProcessPixelRows(two, state, static (a, b, state) => state[0] += 10 * b.Width);
        one.ProcessPixelRows(two, three, state, static (a, b, c, state) => state[0] += 100 * c.Width);
        Assert.Equal(321, state[0]);
        one.ProcessPixelRows((string?)null, static (_, state) => Assert.Null(state));
    }

#if LIBRARY_NET10
    [Fact]
    [Trait("Library", "Net10")]
    public void A_span_can_be_the_state()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<byte> image = allocator.Rent<byte>(5, 1);
        Span<byte> palette = [9, 8, 7, 6, 5];
        image.ProcessPixelRows(palette, static (accessor, palette) => palette.CopyTo(accessor.GetRowSpan(0)));
        Assert.Equal(7, image[2, 0]);
        image.ProcessPixelRows(image, palette, static (_, accessor, palette) => palette.Fill(accessor.GetRowSpan(0)[4]));
        Assert.Equal(5, palette[0]);
        image.ProcessPixelRows(image, image, (ReadOnlySpan<byte>)palette, static (_, _, _, palette) => Assert.Equal(5, palette.Length));
    }
#endif

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Access_can_be_nested_and_repeated(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<int> image = TierSizes.Rent<int>(allocator, tier, AllocationOptions.Clean))
        {
            for (int i = 0; i < 3; i++)
            {
                image.ProcessPixelRows(outer =>
                {
                    int before = outer.GetRowSpan(1)[0];
                    image.ProcessPixelRows(image, (middle, again) =>
                    {
                        image.ProcessPixelRows(inner => inner.GetRowSpan(1)[0]++);
                        image[0, 1]++;
                        middle.GetRowSpan(1)[0]++;
                    });
                    Assert.Equal(before + 3, outer.GetRowSpan(1)[0]);
                });
            }

            Assert.Equal(9, image[0, 1]);
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Exceptions_pass_through_and_the_image_stays_usable(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<int> image = TierSizes.Rent<int>(allocator, tier))
        {
            PixelPattern.Write(image);
            using PixelBuffer<int> pixel = image.View(0, 0, 1, 1);
            var thrown = new FormatException("mine");
            Action[] calls =
            [
                () => image.ProcessPixelRows(_ => throw thrown),
                () => image.ProcessPixelRows(1, (_, _) => throw thrown),
                () => image.ProcessPixelRows(image, (_, _) => throw thrown),
                () => image.ProcessPixelRows(image, 1, (_, _, _) => throw thrown),
                () => image.ProcessPixelRows(image, image, (_, _, _) => throw thrown),
                () => image.ProcessPixelRows(image, image, 1, (_, _, _, _) => throw thrown),
                () => pixel.TryProcessSinglePixelSpan(_ => throw thrown),
                () => image.ProcessPixelRows(_ => image.ProcessPixelRows(image, (_, _) => throw thrown)),
            ];
            foreach (Action call in calls)
            {
                Assert.Same(thrown, Assert.Throws<FormatException>(call));
                PixelPattern.AssertHolds(image);
            }
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Exceptions_leave_no_reference_behind()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<int> image = TierSizes.Rent<int>(allocator, MemoryTier.OneBlock);
        Assert.Throws<FormatException>(() => image.ProcessPixelRows(image, image, (_, _, _) => throw new FormatException()));
        Assert.Throws<AggregateException>(() => image.ProcessPixelRowsInParallel(_ => throw new FormatException()));
        image.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Nothing_may_be_null()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<int> image = allocator.Rent<int>(2, 2);
        AssertNull("process", () => image.ProcessPixelRows(null!));
        AssertNull("process", () => image.ProcessPixelRows(1, null!));
        AssertNull("process", () => image.ProcessPixelRows(image, (PixelAccessorAction<int, int>)null!));
        AssertNull("process", () => image.ProcessPixelRows(image, 1, null!));
        AssertNull("process", () => image.ProcessPixelRows(image, image, (PixelAccessorAction<int, int, int>)null!));
        AssertNull("process", () => image.ProcessPixelRows(image, image, 1, null!));
        AssertNull("process", () => image.ProcessPixelRowsInParallel(null!));
        AssertNull("process", () => image.ProcessPixelRowsInParallel(1, null!));
        AssertNull("process", () => image.TryProcessSinglePixelSpan(null!));
        AssertNull("other", () => image.ProcessPixelRows((PixelBuffer<int>)null!, (_, _) => { }));
        AssertNull("other", () => image.ProcessPixelRows((PixelBuffer<int>)null!, 1, (_, _, _) => { }));
        AssertNull("other", () => image.ProcessPixelRows((PixelBuffer<int>)null!, image, (_, _, _) => { }));
        AssertNull("third", () => image.ProcessPixelRows(image, (PixelBuffer<int>)null!, (_, _, _) => { }));
        AssertNull("third", () => image.ProcessPixelRows(image, (PixelBuffer<int>)null!, 1, (_, _, _, _) => { }));
        AssertNull("destination", () => image.CopyTo((PixelBuffer<int>)null!));
        AssertNull("destination", () => image.WriteTo(null!));
        AssertNull("source", () => image.ReadFrom(null!));
        image.Dispose();
        TierSizes.AssertQuiet(allocator);

        static void AssertNull(string name, Action call) => Assert.Equal(name, Assert.Throws<ArgumentNullException>(call).ParamName);
    }

    [Fact]
    public void An_image_is_taken_as_the_other_one_unless_the_delegate_says_it_is_the_state()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<int> image = allocator.Rent<int>(2, 2);
        using PixelBuffer<byte> other = allocator.Rent<byte>(3, 3);
        string taken = string.Empty;

        // Both have a Width: the accessor wins.
        image.ProcessPixelRows(other, (a, b) => taken += Kind(b.GetRowSpan(0).Length, b.Width));
        image.ProcessPixelRows(other, image, (a, b, c) => taken += Kind(c.GetRowSpan(0).Length, c.Width));
        Assert.Equal("accessor 3 3;accessor 2 2;", taken);

        // Written out, the parameter is the image itself.
        image.ProcessPixelRows(other, (PixelAccessor<int> a, PixelBuffer<byte> state) => Assert.Same(other, state));
        image.ProcessPixelRows(other, image, (PixelAccessor<int> a, PixelAccessor<byte> b, PixelBuffer<int> state) => Assert.Same(image, state));

        // Only images have a Stride.
        image.ProcessPixelRows(other, (a, state) => Assert.Equal(3, state.Stride));

        static string Kind(int length, int width) => $"accessor {length} {width};";
    }
}
