namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>An array that was pinned stays so until it goes back: a thread that kept it would keep holes in the managed heap.</summary>
public sealed class PinnedArrayTests : ThreadCacheTest
{
    private const int Bytes = 1800;
    private const int ArrayBytes = 2048;

    [Fact]
    public void It_is_not_kept()
    {
        using PixelAllocator allocator = PoolSystem.CreateAllocator(configure: static options => options.LeakTracking = LeakTracking.Off);
        for (int i = 0; i < ManyRents; i++)
        {
            allocator.Lease<byte>(Bytes, 1).Dispose();
        }

        Assert.Equal(ArrayBytes, allocator.GetStatistics().IdleBytes);
        using (PixelBuffer<byte> image = allocator.Rent<byte>(Bytes, 1))
        {
            Assert.Equal(0, allocator.GetStatistics().IdleBytes);
            image.Pin().Dispose();
        }

        Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));

        // The next one is.
        allocator.Rent<byte>(Bytes, 1).Dispose();
        Assert.Equal(ArrayBytes, allocator.GetStatistics().IdleBytes);
    }
}
