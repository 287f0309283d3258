using PixelPool.Tests.Allocation;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers;

/// <summary>Who asks for clean memory gets zeros, whatever was there before.</summary>
public class CleanTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Clean_images_are_zero_on_ten_successive_reuses(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        AssertTenCleanReuses(allocator, tier);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Clean_images_are_zero_when_the_systems_memory_is_not(MemoryTier tier)
    {
        var source = new FakeBlockSource(zeroed: false);
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.BlockSource = source;
        options.ArrayPool = new DirtyArrayPool();
        using (PixelAllocator allocator = PixelAllocator.Create(options))
        {
            AssertTenCleanReuses(allocator, tier);
        }

        Assert.Equal(0, source.LiveBytes);
    }

    /// <summary>Who did not ask for clean memory sees what the last one wrote, if nobody cleared it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_a_scope_leased_is_cleared_on_return_as_well(bool returnsItself)
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options => options.ClearOnReturn = true);
        for (int round = 0; round < 4; round++)
        {
            using (var scope = new RentScope(allocator))
            {
                PixelLease<byte> lease = scope.Lease<byte>(TestSystem.BlockBytes, 1);
                lease.ProcessPixelRows(static rows => rows.GetRowSpan(0).Fill(7));
                if (returnsItself)
                {
                    lease.Dispose();
                }
            }

            using PixelLease<byte> next = allocator.Lease<byte>(TestSystem.BlockBytes, 1);
            next.ProcessPixelRows(static rows => Assert.False(rows.GetRowSpan(0).ContainsAnyExcept((byte)0)));
        }
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Clean_images_are_zero_when_memory_is_cleared_on_return(MemoryTier tier)
    {
        foreach (bool garbage in (bool[])[false, true])
        {
            PixelAllocatorOptions options = TierSizes.Options(tier);
            options.ClearOnReturn = true;
            options.BlockSource = garbage ? new FakeBlockSource(zeroed: false) : null;
            options.ArrayPool = new DirtyArrayPool();
            using PixelAllocator allocator = PixelAllocator.Create(options);
            AssertTenCleanReuses(allocator, tier);
        }
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Clean_images_have_zero_in_the_gaps_between_rows(MemoryTier tier)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.RowAlignmentBytes = 64;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        for (int i = 0; i < 3; i++)
        {
            using PixelBuffer<Rgb24> buffer = TierSizes.Rent<Rgb24>(allocator, tier, AllocationOptions.Clean, rowAlignmentBytes: 64);
            for (int y = 0; y < buffer.Height; y++)
            {
                AssertZeroThenDirty(buffer, y);
            }
        }

        static unsafe void AssertZeroThenDirty(PixelBuffer<Rgb24> buffer, int y)
        {
            using PixelBuffer<Rgb24> row = buffer.View(0, y, buffer.Width, 1);
            using PinnedPixels pin = row.Pin();
            Span<byte> whole = new(pin.Pointer, buffer.Stride);
            Assert.False(whole.ContainsAnyExcept((byte)0));
            whole.Fill(0xCC);
        }
    }

    [Fact]
    public void Clean_blocks_are_zero_where_an_image_of_another_shape_wrote()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        var random = new Random(7);
        for (int i = 0; i < 60; i++)
        {
            // From one barely used block to five full ones: each sees what the others left.
            int width = random.Next(200, 3000);
            using PixelBuffer<ushort> buffer = allocator.Rent<ushort>(width, random.Next(20_000, 300_000) / (2 * width), AllocationOptions.Clean);
            PixelPattern.AssertEveryByte(buffer, 0);
            PixelPattern.Fill(buffer, (byte)(i + 1));
        }

        TierSizes.AssertQuiet(allocator);
        Assert.True(allocator.GetStatistics().Hits > 40);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Clean_images_are_zero_when_some_blocks_are_fresh_and_some_are_not(bool garbage)
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.SeveralBlocks);
        options.BlockSource = garbage ? new FakeBlockSource(zeroed: false) : null;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        for (int blocks = 1; blocks <= 12; blocks++)
        {
            using PixelBuffer<byte> buffer = allocator.Rent<byte>(1024, (blocks * 64) - 1, AllocationOptions.Clean);
            Assert.Equal(blocks, buffer.BlockCount);
            PixelPattern.AssertEveryByte(buffer, 0);
            PixelPattern.Fill(buffer, 0xFF);
        }

        Assert.Equal(12, allocator.GetStatistics().Misses);
    }

    [Theory]
    [InlineData(MemoryTier.Array)]
    [InlineData(MemoryTier.Slab)]
    [InlineData(MemoryTier.OneBlock)]
    [InlineData(MemoryTier.ContiguousLarge)]
    public void Clean_allocations_are_zero_on_ten_successive_reuses(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        int length = tier switch
        {
            MemoryTier.OneBlock => 10_001,
            MemoryTier.ContiguousLarge => 20_001,
            _ => 3001,
        };
        for (int i = 0; i < 10; i++)
        {
            using System.Buffers.IMemoryOwner<uint> owner = allocator.Allocate<uint>(length, AllocationOptions.Clean);
            Assert.False(owner.Memory.Span.ContainsAnyExcept(0u));
            owner.Memory.Span.Fill(uint.MaxValue);
        }
    }

    [Fact]
    public void Memory_that_was_not_asked_to_be_clean_is_not_cleared()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.OneBlock);
        options.BlockSource = new FakeBlockSource(zeroed: false);
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using PixelBuffer<byte> buffer = TierSizes.Rent<byte>(allocator, MemoryTier.OneBlock);
        PixelPattern.AssertEveryByte(buffer, FakeBlockSource.Garbage);
    }

    private static void AssertTenCleanReuses(PixelAllocator allocator, MemoryTier tier)
    {
        for (int i = 0; i < 10; i++)
        {
            using (PixelBuffer<Rgb24> clean = TierSizes.Rent<Rgb24>(allocator, tier, AllocationOptions.Clean))
            {
                PixelPattern.AssertEveryByte(clean, 0);
                PixelPattern.Fill(clean, 0xFF);
            }

            using PixelBuffer<Rgb24> dirty = TierSizes.Rent<Rgb24>(allocator, tier);
            PixelPattern.Fill(dirty, 0xEE);
        }

        Assert.Equal(20, allocator.GetStatistics().Rents);
    }
}
