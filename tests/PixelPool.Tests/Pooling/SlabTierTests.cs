using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

/// <summary>Slabs as the small tier of an allocator.</summary>
public sealed class SlabTierTests : IDisposable
{
    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Small_images_share_a_block_and_are_counted_as_small_rents()
    {
        using PixelAllocator allocator = Create(capacity: 64);
        PixelBuffer<byte>[] images = [.. Enumerable.Range(1, 16).Select(i => allocator.Rent<byte>(64, 64))];
        PixelPoolStatistics during = allocator.GetStatistics();
        StatisticsAssert.Balanced(during);
        Assert.Equal((TestSystem.BlockBytes, 16, 0, 0), (during.RentedBytes, during.SmallRents, during.Hits, during.Misses));
        for (int i = 0; i < images.Length; i++)
        {
            images[i].Fill((byte)i);
        }

        for (int i = 0; i < images.Length; i++)
        {
            Assert.Equal(((byte)i, (byte)i), (images[i][0, 0], images[i][63, 63]));
            images[i].Dispose();
        }

        PixelPoolStatistics after = allocator.GetStatistics();
        StatisticsAssert.Balanced(after);
        Assert.Equal((0, TestSystem.BlockBytes), (after.RentedBytes, after.IdleBytes));
        Assert.Equal(TestSystem.BlockBytes, allocator.Trim());
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Images_of_a_third_of_a_block_share_one_with_two_others()
    {
        const int Third = TestSystem.BlockBytes / 3 / 64 * 64;
        using PixelAllocator allocator = Create(capacity: 64, smallBytes: TestSystem.BlockBytes / 2);
        PixelBuffer<byte>[] images = [.. Enumerable.Range(1, 3).Select(i => allocator.Rent<byte>(Third, 1))];
        Assert.Equal((3 * Third, 1), (allocator.GetStatistics().RentedBytes, _system.Source.Allocations));
        Assert.Equal((Third, TestSystem.BlockBytes / 2), (images[0].HeldBytes, allocator.GetHeldBytes<byte>(Third + 1, 1)));
        using PixelBuffer<byte> larger = allocator.Rent<byte>(Third + 1, 1);
        Assert.Equal(TestSystem.BlockBytes / 2, larger.HeldBytes);
        Array.ForEach(images, static image => image.Dispose());
    }

    [Fact]
    public void Clean_pieces_are_clean_on_every_reuse()
    {
        using PixelAllocator allocator = Create(capacity: 64);
        for (int i = 0; i < 10; i++)
        {
            using PixelBuffer<byte> image = allocator.Rent<byte>(100, 10, AllocationOptions.Clean);
            for (int y = 0; y < 10; y++)
            {
                Assert.Equal(-1, image.DangerousGetRowSpan(y).IndexOfAnyExcept((byte)0));
            }

            image.Fill(0xFF);
        }

        Assert.Equal(1, _system.Source.Allocations);
    }

    [Fact]
    public void Small_images_too_large_for_a_slab_get_a_block()
    {
        using PixelAllocator allocator = Create(capacity: 4, smallBytes: TestSystem.BlockBytes);
        using PixelBuffer<byte> image = allocator.Rent<byte>((TestSystem.BlockBytes / 2) + 1, 1);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((TestSystem.BlockBytes, 0, 1), (statistics.RentedBytes, statistics.SmallRents, statistics.Misses));
    }

    [Theory]
    [InlineData(8, false)]
    [InlineData(16, true)]
    [InlineData(4096, true)]
    public void Row_alignment_that_arrays_can_not_give_uses_slabs(int alignment, bool slabs)
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: options => options.RowAlignmentBytes = alignment);
        using PixelBuffer<byte> image = allocator.Rent<byte>(100, 1);
        Assert.Equal(slabs ? 1 : 0, _system.Source.LivePieces);
        if (slabs)
        {
            unsafe
            {
                using PinnedPixels pinned = image.Pin();
                Assert.Equal(0, (nint)pinned.Pointer % alignment);
            }
        }
    }

    [Fact]
    public void Pieces_are_returned_after_the_allocator_was_disposed()
    {
        PixelAllocator allocator = Create(capacity: 4);
        PixelBuffer<byte> one = allocator.Rent<byte>(10, 10);
        PixelBuffer<byte> other = allocator.Rent<byte>(10, 10);
        allocator.Dispose();
        one.Dispose();
        Assert.Equal(1, _system.Source.LivePieces);
        other.Fill(1);
        other.Dispose();
        _system.Source.AssertAllFreed();
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Theory]
    [InlineData(SmallBufferStrategy.Slab, 0)]
    [InlineData(SmallBufferStrategy.Slab, 1)]
    [InlineData(SmallBufferStrategy.None, 0)]
    [InlineData(SmallBufferStrategy.None, 1)]
    [InlineData(SmallBufferStrategy.ArrayPool, 0)]
    public void Memory_without_elements_comes_from_every_tier(SmallBufferStrategy strategy, int capacity)
    {
        using PixelAllocator allocator = _system.CreateAllocator(capacity, options => options.SmallBuffers = strategy);
        using (System.Buffers.IMemoryOwner<int> nothing = allocator.Allocate<int>(0, AllocationOptions.Clean))
        {
            Assert.Equal(0, nothing.Memory.Length);
            StatisticsAssert.Balanced(allocator.GetStatistics());
        }

        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    private PixelAllocator Create(int capacity, int smallBytes = TestSystem.SmallBytes) => _system.CreateAllocator(capacity, options =>
    {
        options.SmallBuffers = SmallBufferStrategy.Slab;
        options.SmallBufferThresholdBytes = smallBytes;
    });
}
