using System.Collections.Concurrent;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Pooling.ThreadCaches;

namespace PixelPool.Tests.Budgets;

/// <summary>Threads keep arrays under a budget, too: what they keep stays charged, and takes no room from anybody.</summary>
public sealed class KeptArraysTests : ThreadCacheTest
{
    private const int Bytes = 1800;
    private const int ArrayBytes = 2048;
    private const int Budget = 2 * Block;

    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    [Fact]
    public void They_are_idle_and_a_trim_ends_their_charge()
    {
        using PixelAllocator allocator = Used();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L, ArrayBytes), (statistics.RentedBytes, statistics.ChargedBytes, statistics.IdleBytes));
        using (allocator.Rent<byte>(Bytes, 1))
        {
            Assert.Equal((ArrayBytes, 0L), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().IdleBytes));
        }

        allocator.Trim();
        Assert.Equal((0L, 0L), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().IdleBytes));
        AssertAllFits(allocator);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Whoever_needs_their_room_gets_it(bool isOthers)
    {
        using PixelAllocator allocator = Create();
        using var others = new ThreadsThatStay(isOthers ? 1 : 0, () => Use(allocator));
        Use(allocator);
        AssertAllFits(allocator);
        Use(allocator);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void What_is_refused_takes_nothing()
    {
        using PixelAllocator allocator = Used();
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        for (int i = 0; i < 10; i++)
        {
            Assert.False(allocator.TryRent<byte>(Block, 2, out _));
        }

        Assert.Equal(ArrayBytes, allocator.GetStatistics().IdleBytes);
    }

    [Fact]
    public async Task While_somebody_waits_none_is_kept()
    {
        using PixelAllocator allocator = Used();
        PixelLease<byte> lease = allocator.Lease<byte>(Bytes, 1);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        Task<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(Block, 2, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        lease.Dispose();
        Assert.Equal((Block, 0L), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().IdleBytes));
        held.Dispose();
        (await waiting.WaitAsync(s_limit, TestContext.Current.CancellationToken)).Dispose();
        Use(allocator);
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
        AssertAllFits(allocator);
    }

    /// <summary>Arrays go from thread to thread. All of them together always fit.</summary>
    [Fact]
    public void What_fits_is_never_refused()
    {
        const int Threads = 4;
        const int Rounds = 50_000;
        using PixelAllocator allocator = Create(2 * Threads * ArrayBytes);
        var passed = new ConcurrentQueue<PixelLease<byte>>();
        long refusals = 0;
        Simultaneously.Run(Threads, thread =>
        {
            for (int i = 0; i < Rounds; i++)
            {
                // Each thread holds one and has put one into the queue at most.
                if (allocator.TryLease(Bytes, 1, out PixelLease<byte> lease))
                {
                    passed.Enqueue(lease);
                }
                else
                {
                    Interlocked.Increment(ref refusals);
                }

                if (passed.TryDequeue(out PixelLease<byte> other))
                {
                    other.Dispose();
                }
            }
        });
        while (passed.TryDequeue(out PixelLease<byte> rest))
        {
            rest.Dispose();
        }

        Assert.Equal(0, refusals);
        Assert.Equal((0L, 0L), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().RentedBytes));
        StatisticsAssert.Balanced(allocator.GetStatistics());
        allocator.Trim();
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
    }

    private static void AssertAllFits(PixelAllocator allocator)
    {
        using ExternalCharge all = allocator.ChargeExternal(Budget);
        Assert.Equal((Budget, 0L), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().IdleBytes));
        Assert.False(allocator.TryRent<byte>(1, 1, out _));
    }

    private static void Use(PixelAllocator allocator)
    {
        for (int i = 0; i < ManyRents; i++)
        {
            allocator.Lease<byte>(Bytes, 1).Dispose();
        }
    }

    private PixelAllocator Used()
    {
        PixelAllocator allocator = Create();
        Use(allocator);
        return allocator;
    }

    private PixelAllocator Create(int budget = Budget) => PoolSystem.CreateAllocator(configure: options =>
    {
        options.MaxRentedBytes = budget;
        options.LeakTracking = LeakTracking.Off;
    });
}
