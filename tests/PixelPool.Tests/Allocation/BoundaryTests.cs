using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>Sizes exactly at a limit and one byte over it.</summary>
public class BoundaryTests
{
    private const int K = 1 << 10;
    private const int Small = TierSizes.SmallBytes;
    private const int Block = TierSizes.BlockBytes;
    private const int Capacity = 8 * Block;

    [Theory]
    // The threshold of small images.
    [InlineData(Small - 1, 1, AllocationOptions.None, "small", 1)]
    [InlineData(Small, 1, AllocationOptions.None, "small", 1)]
    [InlineData(Small + 1, 1, AllocationOptions.None, "blocks", 1)]
    [InlineData(128, 128, AllocationOptions.Contiguous, "small", 1)]
    [InlineData(128, 129, AllocationOptions.Contiguous, "blocks", 1)]
    // One block.
    [InlineData(Block, 1, AllocationOptions.None, "blocks", 1)]
    [InlineData(Block - 1, 1, AllocationOptions.None, "blocks", 1)]
    [InlineData(Block + 1, 1, AllocationOptions.None, "blocks", 1)]
    [InlineData(256, 256, AllocationOptions.None, "blocks", 1)]
    [InlineData(256, 257, AllocationOptions.None, "blocks", 2)]
    [InlineData(256, 256, AllocationOptions.Contiguous, "blocks", 1)]
    [InlineData(256, 257, AllocationOptions.Contiguous, "blocks", 1)]
    [InlineData(Block, 2, AllocationOptions.Contiguous, "blocks", 1)]
    // The pool's capacity.
    [InlineData(256, 2048, AllocationOptions.None, "blocks", 8)]
    [InlineData(256, 2049, AllocationOptions.None, "unpooled", 5)]
    [InlineData(Block, 8, AllocationOptions.None, "blocks", 8)]
    [InlineData(Block, 9, AllocationOptions.None, "unpooled", 5)]
    [InlineData(Block, 8, AllocationOptions.Contiguous, "blocks", 1)]
    [InlineData(Block, 9, AllocationOptions.Contiguous, "unpooled", 1)]
    [InlineData(8 * Block, 1, AllocationOptions.None, "blocks", 1)]
    [InlineData((8 * Block) + 1, 1, AllocationOptions.None, "unpooled", 1)]
    // The bytes of 7 blocks, but rows that need 14 of them. In one piece they are 8.
    [InlineData((Block / 2) + 1, 14, AllocationOptions.None, "unpooled", 5)]
    [InlineData((Block / 2) + 1, 14, AllocationOptions.Contiguous, "blocks", 1)]
    public void The_tier_changes_exactly_at_its_limit(int width, int height, AllocationOptions options, string tier, int blocks)
    {
        using PixelAllocator allocator = Create();
        using PixelBuffer<byte> buffer = allocator.Rent<byte>(width, height, options);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(tier == "small" ? 1 : 0, statistics.SmallRents);
        Assert.Equal(tier == "blocks" ? 1 : 0, statistics.Misses);
        Assert.Equal(tier == "unpooled" ? 1 : 0, statistics.UnpooledRents);
        Assert.Equal(blocks, buffer.BlockCount);
        PixelPattern.Write(buffer);
        PixelPattern.AssertHolds(buffer);
    }

    [Theory]
    [InlineData(0, "small")]
    [InlineData(1, "small")]
    [InlineData(Small, "small")]
    [InlineData(Small + 1, "blocks")]
    [InlineData(Block, "blocks")]
    [InlineData(Block + 1, "blocks")]
    [InlineData(Capacity, "blocks")]
    [InlineData(Capacity + 1, "unpooled")]
    [InlineData(10 * Capacity, "unpooled")]
    public void Allocations_change_the_tier_at_the_same_limits(int bytes, string tier)
    {
        using PixelAllocator allocator = Create();
        using System.Buffers.IMemoryOwner<byte> owner = allocator.Allocate<byte>(bytes);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(tier == "small" ? 1 : 0, statistics.SmallRents);
        Assert.Equal(tier == "blocks" ? 1 : 0, statistics.Misses);
        Assert.Equal(tier == "unpooled" ? 1 : 0, statistics.UnpooledRents);
        Assert.Equal(bytes, owner.Memory.Length);
    }

    [Theory]
    [InlineData(256, 2049, AllocationOptions.None)]
    [InlineData(256, 2049, AllocationOptions.Contiguous)]
    [InlineData(Block + 1, 8, AllocationOptions.None)]
    public void Unpooled_memory_is_what_the_image_needs_and_leaves_at_once(int width, int height, AllocationOptions options)
    {
        var source = new FakeBlockSource(zeroed: false);
        using PixelAllocator allocator = Create(source);
        for (int i = 1; i <= 3; i++)
        {
            using (PixelBuffer<byte> buffer = allocator.Rent<byte>(width, height, options))
            {
                Assert.Equal((long)width * height, source.LiveBytes);
                Assert.Equal(buffer.BlockCount, source.LivePieces);
                Assert.Equal((long)width * height, allocator.GetStatistics().RentedBytes);
            }

            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal(0, source.LiveBytes);
            Assert.Equal(0, statistics.IdleBytes);
            Assert.Equal((long)i * width * height, statistics.AllocatedBytes);
            Assert.Equal(statistics.AllocatedBytes, statistics.ReleasedBytes);
            Assert.Equal((long)width * height, statistics.PeakHeldBytes);
        }
    }

    [Fact]
    public void What_exceeds_a_partly_rented_pool_is_unpooled_and_the_pool_is_used_again_when_there_is_room()
    {
        var source = new FakeBlockSource(zeroed: false);
        using PixelAllocator allocator = Create(source);
        PixelBuffer<byte> five = allocator.Rent<byte>(Block, 5);
        using (PixelBuffer<byte> four = allocator.Rent<byte>(Block, 4))
        {
            Assert.Equal(1, allocator.GetStatistics().UnpooledRents);
            Assert.Equal(2, four.BlockCount);
            using PixelBuffer<byte> three = allocator.Rent<byte>(Block, 3);
            Assert.Equal(1, allocator.GetStatistics().UnpooledRents);
            Assert.Equal(12 * Block, source.LiveBytes);
        }

        Assert.Equal(8 * Block, source.LiveBytes);
        five.Dispose();
        using (PixelBuffer<byte> eight = allocator.Rent<byte>(Block, 8))
        {
            Assert.Equal(1, allocator.GetStatistics().UnpooledRents);
            Assert.Equal(1, allocator.GetStatistics().Hits);
        }

        Assert.Equal(Capacity, allocator.GetStatistics().IdleBytes);
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Small_images_do_not_take_from_the_pool()
    {
        using PixelAllocator allocator = Create();
        using PixelBuffer<byte> all = allocator.Rent<byte>(Block, 8);
        using PixelBuffer<byte> small = allocator.Rent<byte>(100, 100);
        Assert.Equal(0, allocator.GetStatistics().UnpooledRents);
        Assert.Equal(1, allocator.GetStatistics().SmallRents);
    }

    [Fact]
    public void Small_images_that_are_blocks_are_unpooled_when_the_pool_is_full()
    {
        using PixelAllocator allocator = Create(smallBuffers: SmallBufferStrategy.None);
        using PixelBuffer<byte> all = allocator.Rent<byte>(Block, 8);
        using PixelBuffer<byte> small = allocator.Rent<byte>(100, 100);
        PixelPattern.Write(small);
        PixelPattern.AssertHolds(small);
        Assert.Equal(1, allocator.GetStatistics().UnpooledRents);
        Assert.Equal((8 * Block) + 10_000, allocator.GetStatistics().RentedBytes);
    }

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool, 8 * Block)]
    [InlineData(SmallBufferStrategy.ArrayPool, 0)]
    [InlineData(SmallBufferStrategy.Slab, 8 * Block)]
    [InlineData(SmallBufferStrategy.Slab, 0)]
    [InlineData(SmallBufferStrategy.None, 8 * Block)]
    [InlineData(SmallBufferStrategy.None, 0)]
    public unsafe void No_elements_at_all_can_be_allocated_from_every_tier(SmallBufferStrategy strategy, int capacity)
    {
        using PixelAllocator allocator = Create(smallBuffers: strategy, capacity: capacity);
        using (System.Buffers.IMemoryOwner<long> owner = allocator.Allocate<long>(0, AllocationOptions.Clean))
        {
            Assert.True(owner.Memory.IsEmpty);
            Assert.True(owner.Memory.Span.IsEmpty);
            using System.Buffers.MemoryHandle handle = owner.Memory.Pin();
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void With_a_threshold_of_zero_every_image_takes_blocks()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.OneBlock);
        options.SmallBufferThresholdBytes = 0;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using PixelBuffer<byte> buffer = allocator.Rent<byte>(1, 1);
        Assert.Equal(1, allocator.GetStatistics().Misses);
        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);
    }

    [Theory]
    [InlineData(Block)]
    [InlineData(Block + 1)]
    [InlineData(int.MaxValue)]
    public void With_a_threshold_of_a_block_or_more_one_block_is_small_and_two_are_not(int threshold)
    {
        foreach (SmallBufferStrategy strategy in (SmallBufferStrategy[])[SmallBufferStrategy.ArrayPool, SmallBufferStrategy.Slab])
        {
            PixelAllocatorOptions options = TierSizes.Options(MemoryTier.OneBlock);
            options.SmallBufferThresholdBytes = threshold;
            options.SmallBuffers = strategy;
            using PixelAllocator allocator = PixelAllocator.Create(options);
            using PixelBuffer<byte> buffer = allocator.Rent<byte>(Block, 1);
            PixelPattern.Write(buffer);
            PixelPattern.AssertHolds(buffer);
            long before = allocator.GetStatistics().Misses;
            using PixelBuffer<byte> two = allocator.Rent<byte>(Block, 2);
            Assert.Equal(2, two.BlockCount);
            Assert.Equal(before + 1, allocator.GetStatistics().Misses);
            Assert.Equal(0, allocator.GetStatistics().UnpooledRents);
        }
    }

    [Fact]
    public void The_defaults_are_the_documented_ones()
    {
        var options = new PixelAllocatorOptions();
        Assert.Equal(4096 * K, options.BlockBytes);
        Assert.Equal(1024 * K, options.SmallBufferThresholdBytes);
        Assert.Equal(SmallBufferStrategy.ArrayPool, options.SmallBuffers);
        Assert.Same(System.Buffers.ArrayPool<byte>.Shared, options.ArrayPool);
        Assert.Equal(32 * 1024 * K, options.UnpooledBlockBytes);
        Assert.Null(options.MaxPooledBytes);
        Assert.Null(options.MaxRentedBytes);
        Assert.Same(TimeProvider.System, options.TimeProvider);
        Assert.Equal(1, options.RowAlignmentBytes);
        Assert.True(options.UseHugePages);
        Assert.False(options.ClearOnReturn);
        Assert.Null(options.Name);
    }

    private static PixelAllocator Create(
        FakeBlockSource? source = null, SmallBufferStrategy smallBuffers = SmallBufferStrategy.ArrayPool, int capacity = Capacity)
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.OneBlock);
        options.MaxPooledBytes = capacity;
        options.SmallBuffers = smallBuffers;
        options.BlockSource = source;
        return PixelAllocator.Create(options);
    }
}
