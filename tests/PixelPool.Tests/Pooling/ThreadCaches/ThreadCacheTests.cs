using System.Runtime.CompilerServices;
using PixelPool.Native;
using PixelPool.Pooling;
using PixelPool.Tests.Budgets;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Threading;
using PixelPool.Threading;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>What a thread keeps for its next rents is idle memory like any other: counted, trimmed, stolen, charged and freed.</summary>
[Trait("Category", "Long")]
public sealed class ThreadCacheTests : ThreadCacheTest
{
    [Fact]
    public void What_a_thread_keeps_is_idle()
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator());
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(0, statistics.RentedBytes);
        Assert.Equal(Block + 2048, statistics.IdleBytes);
        Assert.Equal(statistics.AllocatedBytes - statistics.ReleasedBytes, statistics.IdleBytes);
        Assert.Equal((2 * ManyRents, ManyRents - 1, 1), (statistics.Rents, statistics.Hits, statistics.Misses));
        Assert.Equal(ManyRents, statistics.SmallRents);
        Assert.Equal(Block + 2048, statistics.PeakHeldBytes);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Trim_gives_it_back(bool onAnotherThread)
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator());
        long released = 0;
        Do(onAnotherThread, () => released = allocator.Trim());
        Assert.Equal(Block, released);
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        Assert.Equal(0, PoolSystem.Source.LiveBytes);

        // And goes on.
        UseOften(allocator);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void Another_thread_gets_it_before_thePoolSystem_is_asked()
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator());
        Do(onAnotherThread: true, () => allocator.Rent<byte>(Block, 1).Dispose());
        Assert.Equal(1, allocator.GetStatistics().Misses);
        Assert.Equal(Block, PoolSystem.Source.LiveBytes);
    }

    [Fact]
    public void It_takes_no_place_in_a_full_pool()
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator(capacityInBlocks: 1));
        Do(onAnotherThread: true, () => allocator.Rent<byte>(Block, 1).Dispose());
        Assert.Equal(0, allocator.GetStatistics().UnpooledRents);
    }

    [Fact]
    public void It_takes_no_room_in_a_budget()
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator(configure: static options => options.MaxRentedBytes = 2 * Block));
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 2);
        Assert.Equal(2 * Block, allocator.GetStatistics().RentedBytes);
        Assert.False(allocator.TryRent<byte>(Block, 1, out _));
        image.Dispose();
        UseOften(allocator);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    /// <summary>First the block, then the array, as much as is needed. The block itself is still there, for the next rent.</summary>
    [Fact]
    public void Who_reserves_gets_its_charge()
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator(configure: static options => options.MaxRentedBytes = 2 * Block));
        Assert.Equal(Block + 2048, allocator.GetChargedIdleBytes());
        using RentScope first = allocator.ReserveScope(Block);
        Assert.Equal((Block + 2048L, 2048L), (allocator.GetStatistics().IdleBytes, allocator.GetChargedIdleBytes()));
        using RentScope second = allocator.ReserveScope(Block);
        PixelPoolStatistics before = allocator.GetStatistics();
        Assert.Equal((1L * Block, 0L), (before.IdleBytes, allocator.GetChargedIdleBytes()));
        second.Rent<byte>(Block, 1);
        Assert.Equal((before.Hits + 1, before.Misses), (allocator.GetStatistics().Hits, allocator.GetStatistics().Misses));
    }

    [Fact]
    public void Policy_gives_it_back_when_nobody_needs_it()
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator(configure: static options => options.TrimPolicy = TrimPolicy.Demand));
        PoolSystem.Time.Advance(TimeSpan.FromSeconds(25));
        Assert.Equal(Block, PoolSystem.Source.LiveBytes);
        PoolSystem.Time.Advance(TimeSpan.FromSeconds(35));
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        Assert.Equal(0, PoolSystem.Time.ActiveTimers);
    }

    /// <summary>Others move it between two places, where no timer that fires just then finds it: so they look whether the timer still runs. Here it does not, because the clock failed.</summary>
    [Fact]
    public void Whoever_moves_it_starts_a_timer_that_does_not_run()
    {
        var clock = new FailingClock(PoolSystem.Time);
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator(configure: options =>
        {
            options.TimeProvider = clock;
            options.TrimPolicy = TrimPolicy.Demand;
            options.MaxRentedBytes = 2 * Block;
            options.LeakTracking = LeakTracking.Off;
        }));
        PoolSystem.Time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal((0, 0), (PoolSystem.Source.LiveBytes, PoolSystem.Time.ActiveTimers));
        (clock.GoodReads, clock.BadReads) = (clock.Reads, int.MaxValue);
        UseOften(allocator, rents: 2);
        clock.BadReads = 0;
        Assert.Equal((Block, 0), (PoolSystem.Source.LiveBytes, PoolSystem.Time.ActiveTimers));
        allocator.ReserveScope(2 * Block).Dispose();
        Assert.Equal((Block, 1), (PoolSystem.Source.LiveBytes, PoolSystem.Time.ActiveTimers));
        PoolSystem.Time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
    }

    [Fact]
    public void Disposal_gives_it_back_and_ends_it()
    {
        PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator());
        PixelLease<byte> last = allocator.Lease<byte>(Block, 1);
        allocator.Dispose();
        last.Dispose();
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        Assert.Throws<ObjectDisposedException>(() => allocator.Lease<byte>(Block, 1));
    }

    [Fact]
    public void Thread_that_ends_leaves_its_blocks_to_others()
    {
        using PixelAllocator allocator = PoolSystem.CreateAllocator(configure: static options => options.MaxRentedBytes = 4 * Block);
        for (int i = 0; i < 40; i++)
        {
            Do(onAnotherThread: true, () => UseOften(allocator));
            Collector.CollectAll();
        }

        // Each one got a cache, and the block that the last one kept.
        Assert.Equal(Block, PoolSystem.Source.LiveBytes);
        Assert.Equal(1, allocator.GetStatistics().Misses);
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 4);
    }

    [Fact]
    public void Threads_that_ended_leave_their_caches_to_others_before_they_are_collected()
    {
        using PixelAllocator allocator = PoolSystem.CreateAllocator();
        for (int i = 0; i < 2 * StripeIndex.Count; i++)
        {
            Do(onAnotherThread: true, () => UseOften(allocator));
        }

        allocator.Trim();

        DoUntil(() => ThreadsWithACache(allocator) != 0, () => UseOften(allocator));
        Assert.Equal(1, ThreadsWithACache(allocator));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Threads_that_come_and_go_lose_nothing(bool hasBudget)
    {
        const int Threads = 4;
        using PixelAllocator allocator = PoolSystem.CreateAllocator(
            capacityInBlocks: 2 * Threads, configure: options => options.MaxRentedBytes = hasBudget ? 2 * Threads * Block : null);
        Simultaneously.Run(Threads, index =>
        {
            for (int i = 0; i < 50; i++)
            {
                Do(onAnotherThread: true, () => UseOften(allocator));
                if (index == 0)
                {
                    allocator.Trim();
                }
                else if (index == 1)
                {
                    // Finalizers end the use of the same caches.
                    Collector.CollectAll();
                }
            }
        });
        StatisticsAssert.Balanced(allocator.GetStatistics());
        allocator.Rent<byte>(Block, 2 * Threads).Dispose();
        allocator.Trim();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0, 0), (statistics.RentedBytes, statistics.IdleBytes, PoolSystem.Source.LiveBytes));
    }

    [Fact]
    public void Many_threads_keep_few_blocks()
    {
        const int Threads = 300;
        using PixelAllocator allocator = PoolSystem.CreateAllocator(capacityInBlocks: 2 * Threads);
        using var users = new ThreadsThatStay(Threads, () => UseOften(allocator));
        Assert.InRange(ThreadsWithACache(allocator), 1, 2 * StripeIndex.Count);
        allocator.Trim();
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
    }

    [Fact]
    public void A_thread_that_rents_no_more_leaves_its_cache_to_others()
    {
        using PixelAllocator allocator = PoolSystem.CreateAllocator();
        using var users = new ThreadsThatStay(100, () => UseOften(allocator));

        // Whether something is left in it or not.
        DoUntil(() => FindMine(allocator) is not null, () => UseOften(allocator));
        StatisticsAssert.Balanced(allocator.GetStatistics());
        allocator.Trim();
        Assert.Equal((0, 0), (allocator.GetStatistics().IdleBytes, PoolSystem.Source.LiveBytes));
    }

    /// <summary>Where more threads rent than there are caches, they look all the time. A thread that only waits for a processor is to keep its own.</summary>
    [Fact]
    public void A_cache_is_left_to_its_thread_for_a_while()
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator());
        ThreadCache mine = FindMine(allocator)!;
        for (int i = 0; i < 2; i++)
        {
            long began = TimeProvider.System.GetTimestamp();
            UseOften(allocator, rents: 1);
            DoUntil(mine.WasNotUsed, static () => { });
            Assert.InRange(TimeProvider.System.GetElapsedTime(began), TimeSpan.FromMilliseconds(100), TimeSpan.MaxValue);
        }
    }

    [Fact]
    public void A_thread_that_only_rents_gets_one_too()
    {
        using PixelAllocator allocator = PoolSystem.CreateAllocator();
        using var users = new ThreadsThatStay(2 * StripeIndex.Count, () => UseOften(allocator));
        DoUntil(() => FindMine(allocator) is not null, () =>
        {
            PixelLease<byte>[] leases = [.. Enumerable.Range(0, ManyRents).Select(_ => allocator.Lease<byte>(1800, 1))];
            Do(onAnotherThread: true, () => Array.ForEach(leases, static lease => lease.Dispose()));
        });
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void A_thread_that_rents_again_gets_another_cache()
    {
        using PixelAllocator allocator = UsedOften(PoolSystem.CreateAllocator());
        for (int i = 0; i < 3; i++)
        {
            ThreadCache mine = FindMine(allocator)!;
            DoUntil(() => mine.IsRetired, () =>
            {
                using var others = new ThreadsThatStay(16 * StripeIndex.Count, () => UseOften(allocator));
            });
            DoUntil(() => FindMine(allocator) is not null, () => UseOften(allocator));
        }
    }

    [Fact]
    public void A_cache_keeps_no_allocator_alive()
    {
        WeakReference[] dropped = Drop();
        Collector.CollectAll();
        Collector.CollectAll();
        Assert.All(dropped, static allocator => Assert.False(allocator.IsAlive));
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
    }

    [Fact]
    public void A_thread_that_uses_many_allocators_gets_right_memory_from_each()
    {
        PixelAllocator[] allocators = [.. Enumerable.Range(0, 9).Select(_ => PoolSystem.CreateAllocator())];
        for (int round = 0; round < ManyRents; round++)
        {
            foreach (PixelAllocator allocator in allocators)
            {
                UseOften(allocator, rents: 1);
            }
        }

        foreach (PixelAllocator allocator in allocators)
        {
            Assert.Contains(allocator.GetStatistics().IdleBytes, new long[] { Block, Block + 2048 });
            Assert.Equal(1, allocator.GetStatistics().Misses);
            allocator.Dispose();
        }
    }

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool)]
    [InlineData(SmallBufferStrategy.Slab)]
    public void Interrupted_trims_beside_rents_lose_nothing(SmallBufferStrategy strategy)
    {
        // Memory of the system: the source of the other tests has a lock of its own, which the interrupt would end.
        using PixelAllocator allocator = PoolSystem.CreateAllocator(configure: options =>
        {
            options.SmallBuffers = strategy;
            options.BlockSource = BlockSource.System;
        });
        int running = 3;
        bool stillInterrupted = true;
        Simultaneously.Run(4, index =>
        {
            if (index != 0)
            {
                UseOften(allocator, rents: 20_000);
                Interlocked.Decrement(ref running);
                return;
            }

            while (Volatile.Read(ref running) != 0)
            {
                Thread.CurrentThread.Interrupt();
                allocator.Trim();
                stillInterrupted &= PendingInterrupt.Take();
            }
        });
        Assert.True(stillInterrupted);
        allocator.Trim();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0, 0), (statistics.RentedBytes, statistics.IdleBytes, statistics.AllocatedBytes - statistics.ReleasedBytes));
    }

    [Fact]
    public void Rents_and_returns_of_a_thread_allocate_nothing()
    {
        using PixelAllocator allocator = UsedOften(PixelAllocator.Create(new PixelAllocatorOptions { LeakTracking = LeakTracking.Off }));
        long before = GC.GetAllocatedBytesForCurrentThread();
        UseOften(allocator);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    // That of the calling thread.
    private static ThreadCache? FindMine(PixelAllocator allocator)
    {
        UseOften(allocator, rents: 1);
        return allocator.Tracking.Guards.Reachable().Select(static guard => guard.OwnerCache).OfType<ThreadCache>().FirstOrDefault(static cache => cache.IsMine);
    }

    // A cache is another thread's after it was not used for a while: until then, again and again.
    private static void DoUntil(Func<bool> isSo, Action action)
    {
        for (long began = TimeProvider.System.GetTimestamp(); !isSo(); action())
        {
            Assert.InRange(TimeProvider.System.GetElapsedTime(began), TimeSpan.Zero, TimeSpan.FromMinutes(1));
        }
    }

    // Each keeps something, and nothing is rented.
    private static int ThreadsWithACache(PixelAllocator allocator) =>
        allocator.Tracking.Guards.Reachable().Select(static guard => guard.OwnerCache).OfType<ThreadCache>().Distinct().Count();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference[] Drop() => [.. Enumerable.Range(0, 3).Select(_ => new WeakReference(UsedOften(PoolSystem.CreateAllocator())))];

    private static void Do(bool onAnotherThread, Action action)
    {
        if (!onAnotherThread)
        {
            action();
            return;
        }

        var thread = new Thread(() => action());
        thread.Start();
        thread.Join();
    }
}
