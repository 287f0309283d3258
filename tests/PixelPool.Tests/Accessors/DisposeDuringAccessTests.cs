using PixelPool.Tests.Allocation;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Accessors;

/// <summary>An image that is disposed while a delegate runs: its memory lasts until the delegate returns, its handle does not.</summary>
public class DisposeDuringAccessTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Memory_is_valid_until_the_delegate_that_disposed_its_image_returns(MemoryTier tier)
    {
        var source = new FakeBlockSource(zeroed: false);
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.BlockSource = source;
        options.ArrayPool = new DirtyArrayPool();
        options.ClearOnReturn = true;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        Action<PixelBuffer<uint>, Action>[] ways =
        [
            static (image, inside) => image.ProcessPixelRows(_ => inside()),
            static (image, inside) => image.ProcessPixelRows(1, (_, _) => inside()),
            static (image, inside) => image.ProcessPixelRows(image, (_, _) => inside()),
            static (image, inside) => image.ProcessPixelRows(image, 1, (_, _, _) => inside()),
            static (image, inside) => image.ProcessPixelRows(image, image, (_, _, _) => inside()),
            static (image, inside) => image.ProcessPixelRows(image, image, 1, (_, _, _, _) => inside()),
            static (image, inside) => image.ProcessPixelRowsInParallel(
                accessor =>
                {
                    if (accessor.FirstRow == 0)
                    {
                        inside();
                    }
                },
                maxDegreeOfParallelism: 1),
        ];
        foreach (Action<PixelBuffer<uint>, Action> way in ways)
        {
            PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
            PixelPattern.Write(image);
            long rented = allocator.GetStatistics().RentedBytes;
            way(image, () =>
            {
                // Compares through a delegate that started before the disposal.
                image.ProcessPixelRows(accessor =>
                {
                    image.Dispose();
                    Assert.True(image.IsDisposed);
                    Assert.Equal(rented, allocator.GetStatistics().RentedBytes);
                    AssertHolds(accessor);
                });
                Assert.Equal(rented, allocator.GetStatistics().RentedBytes);
                Assert.Throws<ObjectDisposedException>(() => image.ProcessPixelRows(_ => Assert.Fail("Called.")));
                Assert.Throws<ObjectDisposedException>(() => image[0, 0]);
                Assert.Throws<ObjectDisposedException>(() => image.DangerousGetRowSpan(0));
            });
            TierSizes.AssertQuiet(allocator);
        }

        allocator.Dispose();
        Assert.Equal(0, source.LiveBytes);
    }

    [Fact]
    public void A_new_image_does_not_get_the_memory_that_a_delegate_still_uses()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks);
        PixelPattern.Write(image);
        image.ProcessPixelRows(accessor =>
        {
            image.Dispose();
            using PixelBuffer<uint> next = TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks);
            PixelPattern.Fill(next, 0xEE);
            AssertHolds(accessor);
        });
        TierSizes.AssertQuiet(allocator);
        Assert.Equal(2, allocator.GetStatistics().Misses);
    }

    [Fact]
    public void A_delegate_that_disposes_its_image_and_throws_returns_the_memory_too()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
        Assert.Throws<FormatException>(() => image.ProcessPixelRows(_ =>
        {
            image.Dispose();
            throw new FormatException();
        }));
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Each_of_three_images_may_be_disposed_inside()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        PixelBuffer<uint> one = TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks);
        PixelBuffer<uint> two = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
        PixelBuffer<uint> three = TierSizes.Rent<uint>(allocator, MemoryTier.Array);
        PixelPattern.Write(one);
        PixelPattern.Write(two);
        PixelPattern.Write(three);
        one.ProcessPixelRows(two, three, (a, b, c) =>
        {
            three.Dispose();
            one.Dispose();
            two.Dispose();
            AssertHolds(a);
            AssertHolds(b);
            AssertHolds(c);
        });
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_disposal_on_another_thread_waits_for_nobody_and_harms_nobody()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks);
        PixelPattern.Write(image);
        image.ProcessPixelRows(accessor =>
        {
            var other = new Thread(image.Dispose);
            other.Start();
            Assert.True(other.Join(TimeSpan.FromSeconds(30)), "Dispose waits for the delegate.");
            Assert.True(image.IsDisposed);
            AssertHolds(accessor);
        });
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_buffer_rented_inside_and_kept_is_not_touched_by_the_end_of_the_delegate()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
        PixelBuffer<uint>? kept = null;
        image.ProcessPixelRows(_ =>
        {
            PixelBuffer<uint> mine = image;
            image = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
            mine.Dispose();
            kept = image;
            PixelPattern.Write(kept);
        });
        PixelPattern.AssertHolds(kept!);
        kept!.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    private static void AssertHolds(PixelAccessor<uint> accessor)
    {
        for (int y = 0; y < accessor.Height; y++)
        {
            Span<uint> row = accessor.GetRowSpan(y);
            for (int x = 0; x < row.Length; x++)
            {
                if (row[x] != PixelPattern.Value<uint>(x, y))
                {
                    Assert.Fail($"Pixel {x} of row {y} is {row[x]:X8}.");
                }
            }
        }
    }
}
