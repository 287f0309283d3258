using System.Buffers;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Threading;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>What a thread keeps is bounded, idle, and nobody's when its cache is.</summary>
public sealed class KeptByThreadTests : ThreadCacheTest
{
    private const int Small = 1_500;

    [Fact]
    public void There_is_a_most()
    {
        const int Most = 8;
        using PixelAllocator allocator = Create(SmallBufferStrategy.ArrayPool);
        ThreadCache cache = Use(allocator, Block);
        for (int round = 0; round < 2; round++)
        {
            // In the first round blocks come from the system: these are not kept.
            PixelLease<byte>[] blocks = [.. Enumerable.Range(0, Most + 4).Select(_ => allocator.Lease<byte>(Block, 1))];
            Array.ForEach(blocks, static block => block.Dispose());
        }

        Use(allocator, Small, rents: 4);
        int kept = 0;
        while (cache.TakeBlock() is { } guard)
        {
            guard.ForgetOwnerCache();
            guard.Open();
            Assert.True(guard.TryReleaseOwner(guard.Version));
            kept++;
        }

        Assert.Equal(Most, kept);
    }

    [Fact]
    public void It_is_idle_and_goes_when_it_is_trimmed()
    {
        using PixelAllocator allocator = Create(SmallBufferStrategy.ArrayPool);
        foreach (int bytes in new[] { Small, Block })
        {
            ThreadCache cache = Use(allocator, bytes);
            Assert.True(cache.HasAny());
            Assert.Equal(bytes == Block ? (1, 0L) : (0, 2048L), (cache.BlockCount, cache.SmallBytes));
            Assert.Equal(bytes == Block ? Block : 2048, allocator.GetStatistics().IdleBytes);
            allocator.Trim();
            Assert.Equal((false, 0, 0L), (cache.HasAny(), cache.BlockCount, cache.SmallBytes));
            Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        }
    }

    /// <summary>What others take, and what comes in its place, was not idle, although there is as much as before.</summary>
    [Fact]
    public void It_is_unused_only_if_it_is_what_was_there_before()
    {
        using PixelAllocator allocator = Create(SmallBufferStrategy.ArrayPool);
        ThreadCache cache = Use(allocator, Block);
        cache.EndPeriod();
        Assert.Equal((true, true), cache.EndPeriod());
        using (new ThreadsThatStay(1, () => allocator.Lease<byte>(Block, 1).Dispose()))
        {
            Assert.Equal(0, cache.BlockCount);
        }

        allocator.Lease<byte>(Block, 1).Dispose();
        Assert.Equal(1, cache.BlockCount);
        Assert.Equal((false, true), cache.EndPeriod());
        Assert.Equal((true, true), cache.EndPeriod());
        allocator.Lease<byte>(Block, 1).Dispose();
        Assert.Equal((false, true), cache.EndPeriod());
    }

    [Fact]
    public void It_is_nobodys_when_the_cache_is_retired()
    {
        using PixelAllocator allocator = Create(SmallBufferStrategy.ArrayPool);
        ThreadCache cache = Use(allocator, Small);
        PixelLease<byte> first = allocator.Lease<byte>(Small, 1);
        Assert.True(cache.IsMine);
        cache.Retire();
        Assert.False(cache.IsMine);

        // Neither is it that of a thread without any.
        bool isOthers = true;
        using (new ThreadsThatStay(1, () =>
        {
            isOthers = cache.IsMine;
            first.Dispose();
        }))
        {
            Assert.False(isOthers);
        }

        Assert.NotSame(cache, Use(allocator, Small));
        AssertNothingLost(allocator);
    }

    // Rents that are looked at go another way.
    private PixelAllocator Create(SmallBufferStrategy strategy) => PoolSystem.CreateAllocator(configure: options =>
    {
        options.SmallBuffers = strategy;
        options.LeakTracking = LeakTracking.Off;
    });

    /// <summary>With room to read beside it, an image of 2ⁿ bytes mostly is in an array of 2ⁿ⁺¹.</summary>
    [Theory]
    [InlineData(1 << 10)]
    [InlineData(1 << 12)]
    [InlineData(Block / 2)]
    [InlineData(Block)]
    public void Image_that_fills_an_array_is_kept_for_the_next_one(int bytes)
    {
        using PixelAllocator allocator = Create(SmallBufferStrategy.ArrayPool);
        Use(allocator, bytes);
        Assert.InRange(allocator.GetStatistics().PeakHeldBytes, bytes, 2 * bytes);
    }

    /// <summary>Where nothing is known of what lies beside the array, one of the next length serves. It is found among what the thread keeps, too.</summary>
    [Fact]
    public void Image_that_lies_in_an_array_of_the_next_length_is_kept_for_the_next_one()
    {
        const int Bytes = 1 << 12;

        // The last one that a thread gave back is the first one that it gets.
        ArrayPool<byte>.Shared.Return(SteadyArray.Create(Bytes, isEnough: false));
        using PixelAllocator allocator = Create(SmallBufferStrategy.ArrayPool);
        Use(allocator, Bytes);
        PixelPoolStatistics before = allocator.GetStatistics();
        Assert.Equal(2 * Bytes, before.IdleBytes);
        Use(allocator, Bytes);
        Assert.Equal(before.AllocatedBytes, allocator.GetStatistics().AllocatedBytes);
    }

    /// <summary>Otherwise one that reads statistics in a loop would keep out whoever needs what is kept.</summary>
    [Fact]
    public void Who_stops_its_thread_comes_before_one_that_does_so_again()
    {
        using PixelAllocator allocator = Create(SmallBufferStrategy.ArrayPool);
        ThreadCache cache = Use(allocator, Block);
        InTurn.Check(body =>
        {
            cache.Pause();
            try
            {
                body();
            }
            finally
            {
                cache.Resume();
            }
        });
        Assert.True(cache.HasAny());
    }

    // The cache that the calling thread has afterwards.
    private static ThreadCache Use(PixelAllocator allocator, int bytes, int rents = ManyRents)
    {
        for (int i = 0; i < rents; i++)
        {
            allocator.Lease<byte>(bytes, 1).Dispose();
        }

        return (ThreadCache)allocator.Tracking.Guards.Reachable().Select(static guard => guard.OwnerCache).First(static keeper => keeper is not null)!;
    }

    private void AssertNothingLost(PixelAllocator allocator)
    {
        StatisticsAssert.Balanced(allocator.GetStatistics());
        allocator.Trim();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0, 0), (statistics.RentedBytes, statistics.IdleBytes, PoolSystem.Source.LiveBytes));
    }
}
