using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>A rent remembers which cache its memory came from: whatever happens to it, the memory goes to one place, and counts there.</summary>
public sealed class OwnerCacheTests : ThreadCacheTest
{
    private const int Small = 1_800;

    public static TheoryData<SmallBufferStrategy, int> Kinds => new()
    {
        { SmallBufferStrategy.ArrayPool, Block },
        { SmallBufferStrategy.ArrayPool, Small },
        { SmallBufferStrategy.Slab, Small },
    };

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Forgotten_memory_comes_back(SmallBufferStrategy strategy, int bytes)
    {
        using PixelAllocator allocator = Used(strategy, bytes);
        for (int i = 1; i <= 3; i++)
        {
            Forget(allocator, bytes);
            Collector.CollectAll();
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal((i, 0), (statistics.LeakedCount, statistics.RentedBytes));
            StatisticsAssert.Balanced(statistics);
            Use(allocator, bytes);
        }

        AssertNothingLost(allocator);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void What_another_thread_returns_is_not_rented_twice(SmallBufferStrategy strategy, int bytes)
    {
        using PixelAllocator allocator = Used(strategy, bytes);
        PixelLease<byte> first = allocator.Lease<byte>(bytes, 1);
        using (new ThreadsThatStay(1, () =>
        {
            Use(allocator, bytes);
            first.Dispose();
            using PixelLease<byte> other = allocator.Lease<byte>(bytes, 1);
            other.Fill(1);
        }))
        {
            using PixelLease<byte> mine = allocator.Lease<byte>(bytes, 1);
            using PixelLease<byte> more = allocator.Lease<byte>(bytes, 1);
            Assert.NotEqual(mine.DangerousGetAddress(), more.DangerousGetAddress());
        }

        AssertNothingLost(allocator);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_view_that_lives_longer_holds_it(SmallBufferStrategy strategy, int bytes)
    {
        using PixelAllocator allocator = Used(strategy, bytes);
        PixelBuffer<byte> image = allocator.Rent<byte>(bytes, 1);
        PixelBuffer<byte> view = image.View(0, 0, 1, 1);
        view[0, 0] = 7;
        image.Dispose();
        using (PixelLease<byte> other = allocator.Lease<byte>(bytes, 1))
        {
            other.Fill(1);
            Assert.Equal(7, view[0, 0]);
        }

        view.Dispose();
        Use(allocator, bytes);
        AssertNothingLost(allocator);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_cache_that_others_get_meanwhile_loses_nothing(SmallBufferStrategy strategy, int bytes)
    {
        using PixelAllocator allocator = Used(strategy, bytes);
        PixelLease<byte> late = allocator.Lease<byte>(bytes, 1);

        // The cache is empty, and not used: its thread has none any more.
        PoolSystem.Time.Advance(TimeSpan.FromMinutes(2));
        using (new ThreadsThatStay(3, () => Use(allocator, bytes)))
        {
            late.Dispose();
            Use(allocator, bytes);
            StatisticsAssert.Balanced(allocator.GetStatistics());
        }

        AssertNothingLost(allocator);
    }

    [Fact]
    public void A_pinned_array_is_unpinned_when_it_is_returned()
    {
        using PixelAllocator allocator = Used(SmallBufferStrategy.ArrayPool, Small);
        using (PixelBuffer<byte> image = allocator.Rent<byte>(Small, 1))
        {
            using PinnedPixels pixels = image.Pin();
        }

        AssertNothingLost(allocator);
    }

    private void AssertNothingLost(PixelAllocator allocator)
    {
        allocator.Trim();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0), (statistics.RentedBytes, statistics.IdleBytes));
        Assert.Equal(statistics.AllocatedBytes, statistics.ReleasedBytes);
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
    }

    private PixelAllocator Used(SmallBufferStrategy strategy, int bytes)
    {
        PixelAllocator allocator = PoolSystem.CreateAllocator(configure: options =>
        {
            options.SmallBuffers = strategy;
            options.LeakTracking = LeakTracking.Off;
            options.TrimPolicy = TrimPolicy.Demand;
        });
        Use(allocator, bytes);
        return allocator;
    }

    private static void Use(PixelAllocator allocator, int bytes)
    {
        for (int i = 0; i < ManyRents; i++)
        {
            allocator.Lease<byte>(bytes, 1).Dispose();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator, int bytes)
    {
#pragma warning disable PXP001 // that is the test
        allocator.Rent<byte>(bytes, 1);
#pragma warning restore PXP001
    }
}
