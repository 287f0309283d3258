using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;
using PixelPool.Tiers;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>Pieces of slabs that a thread keeps for its next rents are idle: a block in which nothing else is in use is to be had.</summary>
public sealed class KeptPieceTests : ThreadCacheTest
{
    private const int Piece = 2048;

    [Fact]
    public void Pieces_that_are_kept_are_idle()
    {
        using PixelAllocator allocator = Used(Create());
        AssertHeld(allocator, rented: 0, idle: Block);
        Assert.Equal(ManyRents, allocator.GetStatistics().SmallRents);
        using (allocator.Rent<byte>(Piece, 1))
        {
            AssertHeld(allocator, rented: Piece, idle: Block - Piece);

            // Of another size: another block.
            allocator.Lease<byte>(Piece / 2, 1).Dispose();
            AssertHeld(allocator, rented: Piece, idle: (2 * Block) - Piece);
        }

        AssertHeld(allocator, rented: 0, idle: 2 * Block);
    }

    [Fact]
    public void Pieces_kept_by_several_threads_are_counted_together()
    {
        using PixelAllocator allocator = Create();
        PixelLease<byte> held = allocator.Lease<byte>(Piece, 1);
        using var users = new ThreadsThatStay(3, () => Use(allocator));

        Assert.Equal(Piece, allocator.GetStatistics().RentedBytes);
        held.Dispose();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Trim_gives_the_block_back(bool onAnotherThread)
    {
        using PixelAllocator allocator = Used(Create());
        long released = 0;
        Do(onAnotherThread, () => released = allocator.Trim());
        Assert.Equal(Block, released);
        Assert.Equal(0, PoolSystem.Source.LiveBytes);

        // And goes on.
        Use(allocator);
        AssertHeld(allocator, rented: 0, idle: Block);
    }

    [Fact]
    public void It_takes_no_place_in_a_full_pool()
    {
        using PixelAllocator allocator = Used(Create(capacityInBlocks: 1));
        Do(onAnotherThread: true, () => allocator.Rent<byte>(Block, 1).Dispose());
        Do(onAnotherThread: true, () => allocator.Rent<byte>(Piece / 2, 1).Dispose());
        Assert.Equal(0, allocator.GetStatistics().UnpooledRents);
    }

    [Fact]
    public void With_a_budget_nothing_is_kept()
    {
        using PixelAllocator allocator = Used(Create(configure: static options => options.MaxRentedBytes = 2 * Block));
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 2);
        Assert.False(allocator.TryRent<byte>(Piece, 1, out _));
    }

    [Fact]
    public void Policy_gives_it_back_when_nobody_needs_it()
    {
        using PixelAllocator allocator = Used(Create(configure: static options => options.TrimPolicy = TrimPolicy.Demand));
        PoolSystem.Time.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
        Assert.Equal(0, PoolSystem.Time.ActiveTimers);
    }

    [Fact]
    public void Disposal_gives_it_back()
    {
        PixelAllocator allocator = Used(Create());
        PixelLease<byte> last = allocator.Lease<byte>(Piece, 1);
        allocator.Dispose();
        last.Dispose();
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
    }

    [Fact]
    public void A_thread_that_ends_leaves_it_to_others()
    {
        using PixelAllocator allocator = Create();
        for (int i = 0; i < 20; i++)
        {
            Do(onAnotherThread: true, () => Use(allocator));
            Collector.CollectAll();
        }

        // One for each processor that a thread ran on.
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(0, statistics.RentedBytes);
        Assert.InRange(statistics.IdleBytes, Block, StripeIndex.Count * Block);
        Assert.Equal(statistics.IdleBytes, allocator.Trim());
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
    }

    [Fact]
    public void An_allocator_that_is_dropped_gives_it_back()
    {
        WeakReference dropped = Drop();
        Collector.CollectAll();
        Collector.CollectAll();
        Assert.False(dropped.IsAlive);
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
    }

    /// <summary>Who brings a piece back while pages of its slab go waits for that, and nobody rents it meanwhile.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void One_that_is_given_back_while_pages_go_is_idle(bool isInterrupted)
    {
        Assert.SkipUnless(Environment.SystemPageSize < Block, "no page is free");
        using PixelAllocator allocator = Used(Create());
        PixelLease<byte> held = allocator.Lease<byte>(Piece, 1);
        LifetimeGuard guard = allocator.Tracking.Guards.Reachable().Single(static guard => guard.Attachment is Slab);
        using var discarding = new ManualResetEventSlim();
        using var goOn = new ManualResetEventSlim();
        PoolSystem.Source.OnDiscard = _ =>
        {
            discarding.Set();
            goOn.Wait();
        };
        var trimming = new Thread(() => allocator.Trim());
        var retiring = new Thread(((ThreadCache)guard.OwnerCache!).Retire);
        trimming.Start();
        discarding.Wait(TestContext.Current.CancellationToken);
        held.Dispose();
        retiring.Start();
        try
        {
            var spin = default(SpinWait);
            while (retiring.IsAlive && (retiring.ThreadState & ThreadState.WaitSleepJoin) == 0)
            {
                AssertHeld(allocator, rented: 0, idle: Block);
                spin.SpinOnce(sleep1Threshold: -1);
            }

            if (isInterrupted)
            {
                retiring.Interrupt();
            }

            AssertHeld(allocator, rented: 0, idle: Block);
        }
        finally
        {
            goOn.Set();
            trimming.Join();
            retiring.Join();
        }

        AssertHeld(allocator, rented: 0, idle: Block);
    }

    [Fact]
    public void What_is_to_be_clean_is_clean()
    {
        using PixelAllocator allocator = Used(Create());
        using (PixelBuffer<byte> image = allocator.Rent<byte>(Piece, 1))
        {
            image.Fill(7);
        }

        using PixelBuffer<byte> clean = allocator.Rent<byte>(Piece, 1, AllocationOptions.Clean);
        Assert.Equal(0, clean[0, 0] | clean[Piece - 1, 0]);
    }

    [Fact]
    public void Rents_and_returns_of_a_thread_allocate_nothing()
    {
        using PixelAllocator allocator = Used(Create());
        long before = GC.GetAllocatedBytesForCurrentThread();
        Use(allocator);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Two_rents_never_have_the_same_piece()
    {
        int seed = Environment.TickCount;
        TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}");
        using PixelAllocator allocator = Create(capacityInBlocks: 4096);
        var handedOver = new PixelBuffer<long>?[64];
        int running = 3;
        Simultaneously.Run(4, thread =>
        {
            var random = new Random(seed + thread);
            if (thread == 3)
            {
                while (Volatile.Read(ref running) != 0)
                {
                    PixelPoolStatistics statistics = allocator.GetStatistics();
                    Assert.InRange(statistics.RentedBytes, 0, statistics.AllocatedBytes - statistics.ReleasedBytes);
                    if (random.Next(4) == 0)
                    {
                        allocator.Trim();
                    }
                }

                return;
            }

            for (int i = 0; i < 20_000; i++)
            {
                PixelBuffer<long> image = allocator.Rent<long>(1 << random.Next(0, 9), 1);
                long mark = ((long)thread << 32) | (uint)i;
                image.Fill(mark);
                image = Interlocked.Exchange(ref handedOver[random.Next(handedOver.Length)], image)!;
                if (image is not null)
                {
                    Assert.Equal(image[0, 0], image[image.Width - 1, 0]);
                    image.Dispose();
                }
            }

            Interlocked.Decrement(ref running);
        });
        Array.ForEach(handedOver, static image => image?.Dispose());
        allocator.Trim();
        AssertHeld(allocator, rented: 0, idle: 0);
        Assert.Equal(0, PoolSystem.Source.LiveBytes);
    }

    /// <summary>Threads would do that to each other at each rent: an array serves, a power of two.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void In_a_full_pool_pieces_make_no_room_for_others(bool areKeptElsewhere)
    {
        using PixelAllocator allocator = Create(capacityInBlocks: 1);
        using ThreadsThatStay? others = areKeptElsewhere ? new ThreadsThatStay(1, () => Use(allocator)) : null;
        if (!areKeptElsewhere)
        {
            Use(allocator);
        }

        using PixelLease<byte> image = allocator.Lease<byte>(1500, 1);
        Assert.Equal(2048, allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    private static void AssertHeld(PixelAllocator allocator, long rented, long idle)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((rented, idle), (statistics.RentedBytes, statistics.IdleBytes));
        StatisticsAssert.Balanced(statistics);
    }

    private PixelAllocator Create(int capacityInBlocks = 64, Action<PixelAllocatorOptions>? configure = null) => PoolSystem.CreateAllocator(capacityInBlocks, options =>
    {
        options.SmallBuffers = SmallBufferStrategy.Slab;
        options.LeakTracking = LeakTracking.Off;
        configure?.Invoke(options);
    });

    private static PixelAllocator Used(PixelAllocator allocator)
    {
        Use(allocator);
        return allocator;
    }

    private static void Use(PixelAllocator allocator)
    {
        for (int i = 0; i < ManyRents; i++)
        {
            allocator.Lease<byte>(Piece, 1).Dispose();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference Drop() => new(Used(Create()));

    private static void Do(bool onAnotherThread, Action action)
    {
        if (onAnotherThread)
        {
            Simultaneously.Run(1, _ => action());
        }
        else
        {
            action();
        }
    }
}
