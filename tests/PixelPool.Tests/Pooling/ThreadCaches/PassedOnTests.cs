using System.Collections.Concurrent;
using PixelPool.Accounts;
using PixelPool.Native;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Stress;
using PixelPool.Tests.Threading;
using PixelPool.Threading;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>One thread rents what another one returns: what is between them is idle, is trimmed, and is lost nowhere.</summary>
[Trait("Category", "Long")]
public sealed class PassedOnTests : ThreadCacheTest
{
    private const int Bytes = 2048;
    private const int Rounds = 300;

    // More than one cache keeps of a size.
    private const int AtATime = 16;

    public static TheoryData<SmallBufferStrategy> Strategies => [SmallBufferStrategy.ArrayPool, SmallBufferStrategy.Slab];

    [Theory]
    [MemberData(nameof(Strategies))]
    public void It_is_idle_and_trim_gives_it_back(SmallBufferStrategy strategy)
    {
        using PixelAllocator allocator = Create(strategy);
        HandOver(allocator, () =>
        {
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal(0, statistics.RentedBytes);
            Assert.Equal(Rounds * AtATime, statistics.SmallRents);
            StatisticsAssert.Balanced(statistics);
            allocator.Trim();
            Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        });
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public void Policy_gives_it_back_when_nobody_needs_it(SmallBufferStrategy strategy)
    {
        using PixelAllocator allocator = Create(strategy);
        HandOver(allocator, () =>
        {
            PoolSystem.Time.Advance(TimeSpan.FromMinutes(2));
            Assert.Equal(0, allocator.GetStatistics().IdleBytes);
            Assert.Equal(0, PoolSystem.Source.LiveBytes);
            Assert.Equal(0, PoolSystem.Time.ActiveTimers);
        });
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public void Disposal_gives_it_back(SmallBufferStrategy strategy)
    {
        PixelAllocator allocator = Create(strategy);
        HandOver(allocator, allocator.Dispose);
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public void Disposal_and_trims_beside_it_lose_nothing(SmallBufferStrategy strategy)
    {
        int seed = Environment.TickCount;
        TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}");
        TimeSpan time = StressTime.Of(1.5);
        long started = TimeProvider.System.GetTimestamp();

        // Who trims without a pause leaves the others little time.
        for (int round = 0; round < 20 && (round < 5 || TimeProvider.System.GetElapsedTime(started) < time); round++)
        {
            PixelAllocator allocator = Create(strategy);
            using var passed = new BlockingCollection<PixelLease<byte>>(64);
            var random = new Random(seed + round);
            int before = random.Next(1, 300);
            using var disposed = new CountdownEvent(before);
            Simultaneously.Run(3, thread =>
            {
                switch (thread)
                {
                    case 0:
                        try
                        {
                            while (true)
                            {
                                passed.Add(allocator.Lease<byte>(Bytes, 1));
                                if (!disposed.IsSet)
                                {
                                    disposed.Signal();
                                }
                            }
                        }
                        catch (ObjectDisposedException)
                        {
                            passed.CompleteAdding();
                        }

                        break;
                    case 1:
                        foreach (PixelLease<byte> lease in passed.GetConsumingEnumerable())
                        {
                            lease.Dispose();
                        }

                        break;
                    default:
                        while (!disposed.IsSet)
                        {
                            allocator.TrimTo(0);
                            allocator.GetStatistics();
                        }

                        allocator.Dispose();
                        break;
                }
            });
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal((0, 0), (statistics.RentedBytes, statistics.IdleBytes));
            StatisticsAssert.Balanced(statistics);
            Assert.Equal(0, PoolSystem.Source.LiveBytes);
        }
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public void Interrupts_of_both_threads_lose_nothing(SmallBufferStrategy strategy)
    {
        // Memory of the system: the source of the other tests has a lock of its own, which the interrupt would end.
        using PixelAllocator allocator = Create(strategy, static options => options.BlockSource = BlockSource.System);
        var between = new PixelLease<byte>[64];
        bool[] isFull = new bool[between.Length];
        bool stillInterrupted = true;
        int interruptedRents = 0;
        Simultaneously.Run(2, thread =>
        {
            for (int i = 0; i < 30_000; i++)
            {
                int place = i % between.Length;
                while (Volatile.Read(ref isFull[place]) == (thread == 0))
                {
                    Thread.Yield();
                }

                Thread.CurrentThread.Interrupt();
                if (thread == 0)
                {
                    // The shared pool of arrays has locks that an interrupt ends.
                    while (!TryLease(allocator, out between[place]))
                    {
                        interruptedRents++;
                        Thread.CurrentThread.Interrupt();
                    }
                }
                else
                {
                    between[place].Dispose();
                }

                if (i % 1_000 == 0)
                {
                    allocator.Trim();
                }

                stillInterrupted &= PendingInterrupt.Take();
                Volatile.Write(ref isFull[place], thread == 0);
            }
        });
        Assert.True(stillInterrupted);
        allocator.Trim();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0, 0), (statistics.RentedBytes, statistics.IdleBytes, statistics.AllocatedBytes - statistics.ReleasedBytes));
        Assert.Equal(30_000, statistics.SmallRents);
        Assert.True(interruptedRents == 0 || strategy == SmallBufferStrategy.ArrayPool, "a rent was interrupted");
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public void Many_threads_that_only_rent_leave_nothing_behind(SmallBufferStrategy strategy)
    {
        const int Threads = 200;
        const int Rents = 100;
        using PixelAllocator allocator = Create(strategy);
        var between = new ConcurrentQueue<PixelLease<byte>>();
        bool isOver = false;
        var returning = new Thread(() =>
        {
            while (!Volatile.Read(ref isOver) || !between.IsEmpty)
            {
                if (between.TryDequeue(out PixelLease<byte> lease))
                {
                    lease.Dispose();
                }
                else
                {
                    Thread.Yield();
                }
            }
        });
        returning.Start();
        using (new ThreadsThatStay(Threads, () =>
        {
            for (int i = 0; i < Rents; i++)
            {
                between.Enqueue(allocator.Lease<byte>(Bytes, 1));
            }
        }))
        {
            Assert.Equal(Threads * Rents, allocator.GetStatistics().SmallRents);
        }

        Volatile.Write(ref isOver, true);
        returning.Join();
        Collector.CollectAll();
        StatisticsAssert.Balanced(allocator.GetStatistics());
        allocator.Trim();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0, 0), (statistics.RentedBytes, statistics.IdleBytes, statistics.AllocatedBytes - statistics.ReleasedBytes));
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
    }

    /// <summary>Whoever waits for it takes all that is charged and rented by nobody, of one thread after the other: none of it may go where was looked already.</summary>
    [Fact]
    public void While_a_budget_takes_it_back_nobody_fetches_it()
    {
        using PixelAllocator allocator = Create(SmallBufferStrategy.ArrayPool, static options => options.MaxRentedBytes = 1 << 30);
        HandOver(allocator, () =>
        {
            CreditRecall recall = allocator.Tracking.Guards.Accounts.Recall;
            var leases = new List<PixelLease<byte>>();
            recall.Begin();

            // What the thread has itself: less than it fetches at a time.
            Lease(4);
            long idle = allocator.GetChargedIdleBytes();
            Lease(20);
            Assert.Equal(idle, allocator.GetChargedIdleBytes());
            recall.End();
            Lease(1);
            Assert.InRange(allocator.GetChargedIdleBytes(), 1, idle - 1);
            leases.ForEach(static lease => lease.Dispose());

            void Lease(int count) => leases.AddRange(Enumerable.Range(0, count).Select(_ => allocator.Lease<byte>(Bytes, 1)));
        });
    }

    /// <summary>Whose rents these are says who holds much, and whether all who hold something wait.</summary>
    [Theory]
    [MemberData(nameof(Strategies))]
    public void It_is_rented_by_who_gets_it(SmallBufferStrategy strategy)
    {
        using PixelAllocator allocator = Create(strategy);
        HandOver(allocator, () =>
        {
            PixelLease<byte>[] leases = [.. Enumerable.Range(0, AtATime).Select(_ => allocator.Lease<byte>(Bytes, 1))];
            Assert.Equal(
                Enumerable.Repeat(Environment.CurrentManagedThreadId, AtATime),
                allocator.Tracking.Guards.Reachable().FindAll(static guard => guard.IsRented).Select(static guard => guard.RentedBy));
            Array.ForEach(leases, static lease => lease.Dispose());
        });
    }

    [Fact]
    public void Who_waits_for_all_of_a_budget_gets_it()
    {
        const int Cycles = 6;
        int seed = StressTime.Seed();
        TimeSpan time = StressTime.Of(2);
        using PixelAllocator allocator = Create(SmallBufferStrategy.ArrayPool, static options =>
        {
            options.MaxRentedBytes = 64 * Block;
            options.TrimPolicy = TrimPolicy.None;
        });
        using var rented = new SemaphoreSlim(0);
        using var returned = new SemaphoreSlim(0);
        using var together = new Barrier(3);
        var between = new PixelLease<byte>[AtATime];
        var random = new Random(seed);
        long began = TimeProvider.System.GetTimestamp();
        bool isOver = false;
        long rounds = 0;
        Simultaneously.Run(3, time + TimeSpan.FromMinutes(1), thread =>
        {
            while (true)
            {
                together.SignalAndWait();
                if (isOver)
                {
                    return;
                }

                switch (thread)
                {
                    case 0:
                        for (int i = 0; i < Cycles; i++)
                        {
                            for (int k = 0; k < AtATime; k++)
                            {
                                allocator.TryLease(Bytes, 1, out between[k]);
                            }

                            rented.Release();
                            returned.Wait();
                        }

                        break;
                    case 1:
                        for (int i = 0; i < Cycles; i++)
                        {
                            rented.Wait();
                            Array.ForEach(between, static lease => lease.Dispose());
                            returned.Release();
                        }

                        break;
                    default:
                        Thread.SpinWait(random.Next(3_000));
                        Task<PixelLease<byte>> all = allocator.LeaseAsync<byte>(Block, 64).AsTask();
                        Assert.True(all.Wait(TimeSpan.FromSeconds(20)), $"it waits for what nobody rents, after {rounds} rounds");
                        all.Result.Dispose();
                        rounds++;
                        break;
                }

                together.SignalAndWait();

                if (thread == 2)
                {
                    // Not before: a thread that comes late from the first barrier would leave in the middle of a round.
                    isOver = TimeProvider.System.GetElapsedTime(began) > time;
                }
            }
        });
        TestContext.Current.TestOutputHelper!.WriteLine($"{rounds} rounds");
    }

    private static bool TryLease(PixelAllocator allocator, out PixelLease<byte> lease)
    {
        try
        {
            lease = allocator.Lease<byte>(Bytes, 1);
            return true;
        }
        catch (ThreadInterruptedException)
        {
            lease = default;
            return false;
        }
    }

    // In turns, so that nothing but the caches decides where it goes. Both threads live until the end.
    private static void HandOver(PixelAllocator allocator, Action whenDone)
    {
        using var rented = new SemaphoreSlim(0);
        using var returned = new SemaphoreSlim(0);
        using var end = new ManualResetEventSlim();
        var between = new PixelLease<byte>[AtATime];
        Simultaneously.Run(2, thread =>
        {
            for (int i = 0; i < Rounds; i++)
            {
                if (thread == 0)
                {
                    for (int k = 0; k < AtATime; k++)
                    {
                        between[k] = allocator.Lease<byte>(Bytes, 1);
                    }

                    rented.Release();
                    returned.Wait();
                }
                else
                {
                    rented.Wait();
                    Array.ForEach(between, static lease => lease.Dispose());
                    returned.Release();
                }
            }

            if (thread == 0)
            {
                whenDone();
                end.Set();
            }

            end.Wait();
        });
    }

    private PixelAllocator Create(SmallBufferStrategy strategy, Action<PixelAllocatorOptions>? configure = null) => PoolSystem.CreateAllocator(4096, options =>
    {
        options.SmallBuffers = strategy;
        options.LeakTracking = LeakTracking.Off;
        options.TrimPolicy = TrimPolicy.Demand;
        configure?.Invoke(options);
    });
}
