using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;
using PixelPool.Tiers;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>What a thread returned last, its next rent of that size finds first; and no other rent.</summary>
public sealed class LastReturnedTests : ThreadCacheTest
{
    private const int Small = 1_500;

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool, 300, 257, 512)]
    [InlineData(SmallBufferStrategy.ArrayPool, Small, 1025, 2048)]
    [InlineData(SmallBufferStrategy.ArrayPool, Block, TestSystem.SmallBytes + 1, Block)]
    [InlineData(SmallBufferStrategy.Slab, 1, 1, 64)]
    [InlineData(SmallBufferStrategy.Slab, Small, 1025, 1536)]
    [InlineData(SmallBufferStrategy.Slab, Block, TestSystem.SmallBytes + 1, Block)]
    [InlineData(SmallBufferStrategy.None, Block, 1, Block)]
    public void It_serves_its_size_alone(SmallBufferStrategy strategy, int bytes, int least, int most)
    {
        using PixelAllocator allocator = Create(strategy);
        ThreadCache cache = Use(allocator, bytes);

        // Of an array that is hardly longer than asked for, what lies beside it in memory decides: nothing is said of these.
        int surelyMost = strategy == SmallBufferStrategy.ArrayPool && bytes != Block ? most - (2 * ArrayMargin.Bytes) : most;
        int[] probes = [.. Probes(Block).Where(probe => probe <= surelyMost || probe > most)];
        Assert.Equal(probes.Where(probe => probe >= least && probe <= most), probes.Where(probe => TryRentAndReturn(cache, probe)));
        AssertNothingLost(allocator);
    }

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool, Block, Small)]
    [InlineData(SmallBufferStrategy.ArrayPool, Small, Block)]
    [InlineData(SmallBufferStrategy.ArrayPool, Small, 300)]
    [InlineData(SmallBufferStrategy.Slab, Block, Small)]
    [InlineData(SmallBufferStrategy.Slab, Small, Block)]
    [InlineData(SmallBufferStrategy.Slab, Small, 300)]
    public void It_gives_way_when_it_is_not_rented_any_more(SmallBufferStrategy strategy, int before, int now)
    {
        using PixelAllocator allocator = Used(strategy, now, last: before, out ThreadCache cache);
        Assert.False(TryRentAndReturn(cache, now));
        Use(allocator, now, rents: 4);
        Assert.False(TryRentAndReturn(cache, before));
        Assert.True(TryRentAndReturn(cache, now));
        Assert.Equal(1, Hits(allocator, before));
        AssertNothingLost(allocator);
    }

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool)]
    [InlineData(SmallBufferStrategy.Slab)]
    public void It_stays_while_it_is_rented_by_turns_with_others(SmallBufferStrategy strategy)
    {
        using PixelAllocator allocator = Used(strategy, Small, last: Block, out ThreadCache cache);
        for (int i = 0; i < 10; i++)
        {
            Use(allocator, Small, rents: 1);
            Assert.True(TryRentAndReturn(cache, Block));
        }

        AssertNothingLost(allocator);
    }

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool)]
    [InlineData(SmallBufferStrategy.Slab)]
    public void It_stays_when_others_are_only_returned(SmallBufferStrategy strategy)
    {
        using PixelAllocator allocator = Create(strategy);
        ThreadCache cache = Use(allocator, Small);
        for (int i = 0; i < 4; i++)
        {
            PixelLease<byte> other = default;
            using (new ThreadsThatStay(1, () => other = allocator.Lease<byte>(300, 1)))
            {
                other.Dispose();
            }
        }

        Assert.False(TryRentAndReturn(cache, 300));
        Assert.True(TryRentAndReturn(cache, Small));
        AssertNothingLost(allocator);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_counts_among_what_a_thread_keeps_at_most(bool smallLast)
    {
        const int Most = 8;
        using PixelAllocator allocator = Create(SmallBufferStrategy.ArrayPool);
        ThreadCache cache = Use(allocator, smallLast ? Small : Block);
        for (int round = 0; round < 2; round++)
        {
            // In the first round blocks come from the system: these are not kept.
            PixelLease<byte>[] blocks = [.. Enumerable.Range(0, Most + 4).Select(_ => allocator.Lease<byte>(Block, 1))];
            Use(allocator, smallLast ? Small : Block, rents: 1);
            Array.ForEach(blocks, static block => block.Dispose());
        }

        Use(allocator, Small, rents: 4);
        int kept = 0;
        while (cache.TakeOldestBlock() is { } guard)
        {
            guard.ForgetKeeper();
            guard.HoldAgain();
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
            Assert.True(cache.SeemsToHaveAny && cache.HasAny());
            Assert.Equal((bytes == Block, bytes != Block), (cache.SeemsToHaveBlocks, cache.SeemsToHaveSmall));
            Assert.Equal(bytes == Block ? Block : 2048, allocator.GetStatistics().IdleBytes);
            allocator.Trim();
            Assert.False(cache.SeemsToHaveAny || cache.HasAny() || cache.SeemsToHaveBlocks || cache.SeemsToHaveSmall);
            Assert.False(TryRentAndReturn(cache, bytes));
            Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        }
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

    private PixelAllocator Used(SmallBufferStrategy strategy, int first, int last, out ThreadCache cache)
    {
        PixelAllocator allocator = Create(strategy);
        Use(allocator, first);
        cache = Use(allocator, last);
        return allocator;
    }

    private static IEnumerable<int> Probes(int most) =>
        Enumerable.Range(0, 17).SelectMany(static shift => new[] { -1, 0, 1 }.SelectMany(near => new[] { (1 << shift) + near, (3 << shift >> 1) + near }))
            .Where(bytes => bytes >= 1 && bytes <= most)
            .Distinct()
            .Order();

    private static long Hits(PixelAllocator allocator, int bytes)
    {
        PixelPoolStatistics before = allocator.GetStatistics();
        Use(allocator, bytes, rents: 1);
        PixelPoolStatistics after = allocator.GetStatistics();
        return bytes == Block ? after.Hits - before.Hits : after.SmallRents - before.SmallRents;
    }

    private static bool TryRentAndReturn(ThreadCache cache, int bytes)
    {
        LifetimeGuard? guard = cache.TryRentLast(bytes);
        return guard is not null && MemoryReturn.TryEnd(guard, guard.Version);
    }

    // The cache that the calling thread has afterwards.
    private static ThreadCache Use(PixelAllocator allocator, int bytes, int rents = ManyRents)
    {
        for (int i = 0; i < rents; i++)
        {
            allocator.Lease<byte>(bytes, 1).Dispose();
        }

        return (ThreadCache)allocator.Tracking.Guards.Reachable().Select(static guard => guard.Keeper).First(static keeper => keeper is not null)!;
    }

    private void AssertNothingLost(PixelAllocator allocator)
    {
        StatisticsAssert.Balanced(allocator.GetStatistics());
        allocator.Trim();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0, 0), (statistics.RentedBytes, statistics.IdleBytes, PoolSystem.Source.LiveBytes));
    }
}
