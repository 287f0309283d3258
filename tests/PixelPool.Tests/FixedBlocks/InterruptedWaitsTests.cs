using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Stress;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>
/// Threads that wait for a block, because the budget is full, and are interrupted at any moment, while objects are freed on other threads: no object is in two hands, none is lost, and whoever is not
/// interrupted any more gets one.
/// </summary>
[Trait("Category", "Long")]
public sealed unsafe class InterruptedWaitsTests
{
    // One of them only frees, and so never waits.
    private const int Threads = 5;
    private const int Blocks = 3;
    private const int ObjectsAtTheEnd = 5;
    private const double DefaultSeconds = 0.7;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Each_object_needs_a_block(bool checksFrees) => Run<Sized.Of40000>(shelves: 2 * Blocks, checksFrees);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_block_has_room_for_many(bool checksFrees) => Run<Sized.Of1000>(shelves: 256, checksFrees);

    private static void Run<T>(int shelves, bool checksFrees)
        where T : unmanaged
    {
        using var system = new TestSystem();
        int seed = StressTime.Seed();
        Random[] randoms = [.. Enumerable.Range(0, Threads).Select(thread => new Random(seed + thread))];
        using PixelAllocator allocator = system.CreateAllocator(configure: static options =>
        {
            options.MaxRentedBytes = Blocks * TestSystem.BlockBytes;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        using var objects = new FixedBlockAllocator<T>(allocator, checksFrees);
        var shelved = new Shelves<T>(objects, shelves);
        int served = 0;
        long interrupts = InterruptedThreads.Run(
            Threads,
            StressTime.Of(DefaultSeconds),
            thread =>
            {
                if (thread == 0)
                {
                    shelved.FreeAll();
                    return;
                }

                Assert.InRange(allocator.GetStatistics().RentedBytes, 0, Blocks * TestSystem.BlockBytes);
                shelved.Exchange(randoms[thread]);
            },
            thread =>
            {
                for (int i = 0; i < ObjectsAtTheEnd && thread != 0; i++)
                {
                    shelved.Exchange(randoms[thread]);
                }

                Interlocked.Increment(ref served);
                Assert.True(thread != 0 || SpinWait.SpinUntil(() => FreeUntilAllAreServed(shelved, ref served), s_limit), "a thread waits forever");
            });
        shelved.FreeAll();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        TestContext.Current.TestOutputHelper?.WriteLine($"{shelved.Allocations} objects, {statistics.Waits} waits, {interrupts} interrupts");
        Assert.NotEqual(0, statistics.Waits);
        Assert.Equal((0L, 0L), (objects.Count, statistics.WaitingRents));
        Assert.Empty(allocator.GetWaitingRents());
        objects.Trim();
        statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((0L, 0L, 0L), (statistics.RentedBytes, statistics.IdleBytes, statistics.ChargedBytes));
        system.Source.AssertAllFreed();
    }

    private static bool FreeUntilAllAreServed<T>(Shelves<T> shelved, ref int served)
        where T : unmanaged
    {
        shelved.FreeAll();
        return Volatile.Read(ref served) == Threads;
    }

    /// <summary>Objects pass through it from thread to thread, each with the stamp of who allocated it last. Nothing here can be interrupted but the allocation.</summary>
    private sealed class Shelves<T>(FixedBlockAllocator<T> objects, int count)
        where T : unmanaged
    {
        private readonly Shelved?[] _shelves = new Shelved?[count];
        private long _allocations;

        public long Allocations => Volatile.Read(ref _allocations);

        public void Exchange(Random random)
        {
            nint item = (nint)objects.Allocate();
            var shelved = new Shelved(item, Interlocked.Increment(ref _allocations));
            *(long*)item = shelved.Stamp;
            Free(Interlocked.Exchange(ref _shelves[random.Next(_shelves.Length)], shelved));
        }

        public void FreeAll()
        {
            for (int i = 0; i < _shelves.Length; i++)
            {
                Free(Interlocked.Exchange(ref _shelves[i], null));
            }
        }

        private void Free(Shelved? shelved)
        {
            if (shelved is not null)
            {
                Assert.Equal(shelved.Stamp, *(long*)shelved.Item);
                objects.Free((T*)shelved.Item);
            }
        }
    }

    private sealed record Shelved(nint Item, long Stamp);
}
