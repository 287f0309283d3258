using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>What was in memory that a thread keeps, and who had it, is nobody's who rents it next.</summary>
[Trait("Category", "Long")]
public sealed class KeptContentTests : ThreadCacheTest
{
    [Fact]
    public void Stale_handles_are_found_when_their_memory_was_kept()
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator());
        PixelLease<byte> stale = allocator.Lease<byte>(Block, 1);
        PixelLease<byte> copy = stale;
        stale.Dispose();
        using PixelLease<byte> next = allocator.Lease<byte>(Block, 1);
        copy.Dispose();
        Assert.Equal(1, allocator.GetStatistics().SecondReturns);
        Assert.Throws<ObjectDisposedException>(() => copy[0, 0]);
        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Pixels_that_are_to_be_cleared_are_cleared()
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator(configure: static options => options.ClearOnReturn = true));
        using (PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1))
        {
            image.Fill(7);
        }

        using PixelBuffer<byte> next = allocator.Rent<byte>(Block, 1);
        Assert.Equal(0, next[0, 0] | next[Block - 1, 0]);
        using PixelAllocator other = UsedOften(PoolSystem.CreateAllocator());
        using (PixelBuffer<byte> image = other.Rent<byte>(Block, 1))
        {
            image.Fill(7);
        }

        using PixelBuffer<byte> clean = other.Rent<byte>(Block, 1, AllocationOptions.Clean);
        Assert.Equal(0, clean[0, 0] | clean[Block - 1, 0]);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1000)]
    [InlineData(1920)]
    [InlineData(2000)]
    [InlineData(2048)]
    [InlineData(4096)]
    public void Arrays_of_every_length_are_long_enough(int bytes)
    {
        using PixelAllocator allocator = PoolSystem.CreateAllocator();
        for (int i = 0; i < ManyRents; i++)
        {
            using PixelBuffer<byte> image = allocator.Rent<byte>(bytes, 1);
            image.Fill((byte)i);
            Assert.True(image.TryProcessSinglePixelSpan(span => Assert.Equal(bytes, span.Length)));
        }

        StatisticsAssert.Balanced(allocator.GetStatistics());
        allocator.Trim();
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
    }
}
