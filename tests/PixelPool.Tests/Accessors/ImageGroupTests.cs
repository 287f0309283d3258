using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Accessors;

/// <summary>A delegate over one image and any number of others.</summary>
public class ImageGroupTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Many_images_are_processed_together(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        PixelBuffer<byte>[] others = [.. Enumerable.Range(1, 9).Select(i => allocator.Rent<byte>(image.Width, i))];
        for (int i = 0; i < others.Length; i++)
        {
            others[i].Fill((byte)(i + 1));
        }

        image.ProcessPixelRows(others, 100u, static (pixels, others, add) =>
        {
            Assert.Equal(9, others.Count);
            for (int i = 0; i < others.Count; i++)
            {
                Assert.Equal(i + 1, others[i].Height);
                pixels[0, 0] = add + others[i][others[i].Width - 1, i];
            }
        });
        Assert.Equal(109u, image[0, 0]);
        image.ProcessPixelRows<byte>([], static (_, others) => Assert.Equal(0, others.Count));
        image.ProcessPixelRows<uint>([image, image], static (pixels, others) => others[1][0, 0] = pixels[0, 0] + 1);
        Assert.Equal(110u, image[0, 0]);
        Array.ForEach(others, static other => other.Dispose());
    }

    [Fact]
    public void There_is_no_image_outside_of_the_list() => TierSizes.ForEach(static tier =>
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        image.ProcessPixelRows<uint>([image], static (_, others) =>
        {
            bool refused = false;
            try
            {
                _ = others[1];
            }
            catch (IndexOutOfRangeException)
            {
                refused = true;
            }

            Assert.True(refused);
        });
    });

    [Fact]
    public void An_array_that_the_delegate_changes_changes_nothing()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> first = allocator.Rent<uint>(100, 100);
        PixelBuffer<uint>[] others = [allocator.Rent<uint>(100, 100)];
        others[0].Fill(6);
        first.ProcessPixelRows(others, 0, (_, list, _) =>
        {
            others[0].Dispose();
            others[0] = null!;
            using PixelBuffer<uint> next = allocator.Rent<uint>(100, 100);
            next.Fill(9);
            Assert.Equal(6u, list[0][99, 99]);
        });
        first.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void One_that_is_gone_or_null_leaves_the_others_free()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> first = allocator.Rent<uint>(100, 100);
        PixelBuffer<uint> second = allocator.Rent<uint>(100, 100);
        PixelBuffer<uint> gone = allocator.Rent<uint>(100, 100);
        gone.Dispose();
        Assert.Throws<ObjectDisposedException>(() => first.ProcessPixelRows<uint>([second, gone], static (_, _) => Assert.Fail("It was called.")));
        Assert.Throws<ArgumentException>(() => first.ProcessPixelRows<uint>([second, null!], static (_, _) => Assert.Fail("It was called.")));
        PixelLease<uint> lease = allocator.Lease<uint>(100, 100);
        Assert.Throws<ObjectDisposedException>(
            () => lease.ProcessPixelRows<uint, int>([lease, gone.IsDisposed ? default : lease], 0, static (_, _, _) => Assert.Fail("It was called.")));
        lease.ProcessPixelRows<uint, uint>([lease, second.AsLease()], 5, static (_, others, value) => others[1][0, 0] = value);
        Assert.Equal(5u, second[0, 0]);
        lease.Dispose();
        first.Dispose();
        second.Dispose();
        TierSizes.AssertQuiet(allocator);
    }
}
