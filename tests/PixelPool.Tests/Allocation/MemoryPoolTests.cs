using System.Buffers;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Allocation;

/// <summary>The allocator as the base library's MemoryPool.</summary>
public class MemoryPoolTests
{
    [Theory]
    [InlineData(-1, 1)]
    [InlineData(0, 0)]
    [InlineData(1, 1)]
    [InlineData(4097, 4097)]
    [InlineData(100_000, 100_000)]
    public void A_rent_has_at_least_the_length(int asked, int atLeast)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        MemoryPool<byte> pool = allocator.AsMemoryPool();
        using (IMemoryOwner<byte> owner = pool.Rent(asked))
        {
            Assert.InRange(owner.Memory.Length, atLeast, pool.MaxBufferSize);
            owner.Memory.Span.Fill(3);
        }

        Assert.Equal(1, allocator.GetStatistics().Rents);
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_rent_without_a_length_has_a_useful_one()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using IMemoryOwner<byte> owner = allocator.AsMemoryPool().Rent();
        Assert.Equal(4096, owner.Memory.Length);
    }

    [Theory]
    [InlineData(-2)]
    [InlineData(int.MinValue)]
    public void Lengths_below_minus_one_are_out_of_range(int length)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelPoolStatistics before = allocator.GetStatistics();
        Assert.Throws<ArgumentOutOfRangeException>(() => allocator.AsMemoryPool().Rent(length));
        Assert.Equal(before, allocator.GetStatistics());
    }

    [Fact]
    public void The_largest_buffer_is_that_of_a_span()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        Assert.Equal(int.MaxValue, allocator.AsMemoryPool().MaxBufferSize);
    }

    [Fact]
    public void Disposing_the_pool_disposes_nothing()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        MemoryPool<byte> pool = allocator.AsMemoryPool();
        using IMemoryOwner<byte> owner = pool.Rent(100);
        pool.Dispose();
        pool.Dispose();
        owner.Memory.Span.Fill(1);
        using IMemoryOwner<byte> next = pool.Rent(100);
        using PixelBuffer<byte> buffer = allocator.Rent<byte>(10, 10);
        Assert.Equal(3, allocator.GetStatistics().Rents);
    }
}
