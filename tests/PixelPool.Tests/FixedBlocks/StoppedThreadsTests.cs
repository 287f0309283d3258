using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Stress;
using PixelPool.Threading;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>What stops all threads for a moment (<c>Clear</c>, <c>Trim</c>, <c>Dispose</c>, blocks of ended threads), beside threads that allocate and free.</summary>
/// <remarks><c>PIXELPOOLTESTS_STRESS_SEED</c> repeats the choices of a run that failed, <c>PIXELPOOLTESTS_STRESS_SECONDS</c> lengthens those with a time.</remarks>
[Trait("Category", "Long")]
public sealed unsafe class StoppedThreadsTests
{
    private const int Threads = 4;
    private const int Shelves = 64;

    private readonly TestSystem _system = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Clear_while_other_threads_need_a_block_for_each_object(bool checksFrees)
    {
        var allocator = new FixedBlockAllocator<Sized.Of40000>(_system.Options(capacityInBlocks: 4096), checksFrees);
        int allocating = Threads - 1;
        TimeSpan time = StressTime.Of(1.5);
        long started = TimeProvider.System.GetTimestamp();
        Simultaneously.Run(Threads, index =>
        {
            while (index == 0 && Volatile.Read(ref allocating) != 0)
            {
                allocator.Clear();
                _ = allocator.Count;
            }

            for (int i = 0; i < 500 && index != 0 && (i < 50 || TimeProvider.System.GetElapsedTime(started) < time); i++)
            {
                allocator.Allocate();
            }

            Interlocked.Decrement(ref allocating);
        });
        AssertEndsEven(allocator);
    }

    /// <summary>Whoever was stopped goes on before it is stopped again: otherwise one thread that counts would keep all others out for seconds.</summary>
    [Fact]
    public void Who_counts_in_a_loop_leaves_others_their_turn()
    {
        const int Counts = 2000;
        Assert.SkipUnless(ProcessBarrier.IsSupported, "without the barrier a count takes no longer than anything else");
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options());
        using var begun = new CountdownEvent(Threads - 1);
        long pairs = 0;
        bool isOver = false;
        Simultaneously.Run(Threads, index =>
        {
            if (index == 0)
            {
                Assert.True(begun.Wait(TimeSpan.FromMinutes(1)));
                for (int count = 0; count < Counts; count++)
                {
                    _ = allocator.Count;
                }

                Volatile.Write(ref isOver, true);
                return;
            }

            for (int mine = 0; !Volatile.Read(ref isOver); mine++)
            {
                allocator.Free(allocator.Allocate());
                Interlocked.Increment(ref pairs);
                if (mine == 0)
                {
                    begun.Signal();
                }
            }
        });

        // Hundreds for each count, also on a busy machine; less than one while they were kept out.
        Assert.True(pairs > Counts, $"{pairs} allocations beside {Counts} counts");
    }

    [Fact]
    public void Clear_while_the_blocks_of_an_ended_thread_are_taken_over_for_a_free()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        var allocator = new FixedBlockAllocator<Sized.Of40000>(pool, checksFrees: true);
        allocator.Allocate();
        nint item = AllocateOnEndedThread(allocator);

        // The empty block of the thread goes back in the midst of the free: a pool that was disposed gives it to the system.
        pool.Dispose();
        int clears = 0;
        _system.Source.OnFree = _ =>
        {
            if (clears++ == 0)
            {
                allocator.Clear();
            }
        };
        Assert.Throws<InvalidMemoryOperationException>(() => allocator.Free((Sized.Of40000*)item));
        Assert.NotEqual(0, clears);
        Assert.Equal(0, allocator.Count);
        allocator.Dispose();
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Clear_and_trim_while_threads_free_what_they_may_have_lost()
    {
        int seed = StressTime.Seed();
        TimeSpan time = StressTime.Of(1.5);
        var allocator = new FixedBlockAllocator<Sized.Of1000>(_system.Options(capacityInBlocks: 4096), checksFrees: true);
        nint[] shelves = new nint[Shelves];
        long started = TimeProvider.System.GetTimestamp();
        for (int round = 0; round == 0 || TimeProvider.System.GetElapsedTime(started) < time; round++)
        {
            Simultaneously.Run(Threads, index =>
            {
                var random = new Random(seed + (round * Threads) + index);
                for (int step = 0; step < 2000; step++)
                {
                    Step(allocator, random, shelves);
                }
            });

            // What the threads leave goes to the next ones.
            Collector.CollectAll();
        }

        AssertEndsEven(allocator);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Dispose_while_threads_allocate_and_free(bool checksFrees)
    {
        int seed = StressTime.Seed();
        TimeSpan time = StressTime.Of(1.5);
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 4096);
        long started = TimeProvider.System.GetTimestamp();
        for (int round = 0; round == 0 || TimeProvider.System.GetElapsedTime(started) < time; round++)
        {
            var allocator = new FixedBlockAllocator<Sized.Of1000>(pool, checksFrees);
            nint[] shelves = new nint[Shelves];
            Simultaneously.Run(Threads, index =>
            {
                var random = new Random(seed + (round * Threads) + index);
                int steps = index == 0 ? random.Next(2000) : int.MaxValue;
                try
                {
                    for (int step = 0; step < steps; step++)
                    {
                        Exchange(allocator, random, shelves);
                    }

                    allocator.Dispose();
                }
                catch (ObjectDisposedException)
                {
                    // By the first thread.
                }
            });
            StatisticsAssert.Blocks(pool, rented: 0, idle: (int)(pool.GetStatistics().IdleBytes / TestSystem.BlockBytes));
        }
    }

    private static void Step(FixedBlockAllocator<Sized.Of1000> allocator, Random random, nint[] shelves)
    {
        switch (random.Next(400))
        {
            case 0:
                allocator.Clear();
                break;
            case 1:
                allocator.Trim();
                break;
            case 2:
                _ = allocator.Count;
                break;
            default:
                try
                {
                    Exchange(allocator, random, shelves);
                }
                catch (InvalidMemoryOperationException)
                {
                    // It was cleared, and perhaps freed by whoever got the address then.
                }

                break;
        }
    }

    // Objects pass from thread to thread through the shelves.
    private static void Exchange(FixedBlockAllocator<Sized.Of1000> allocator, Random random, nint[] shelves)
    {
        nint item = random.Next(2) == 0 ? (nint)allocator.Allocate() : 0;
        allocator.Free((Sized.Of1000*)Interlocked.Exchange(ref shelves[random.Next(Shelves)], item));
    }

    // Leaves a block without objects, too.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static nint AllocateOnEndedThread(FixedBlockAllocator<Sized.Of40000> allocator)
    {
        nint item = 0;
        Simultaneously.Run(1, _ =>
        {
            Sized.Of40000* other = allocator.Allocate();
            item = (nint)allocator.Allocate();
            allocator.Free(other);
        });
        Collector.CollectAll();
        return item;
    }

    private void AssertEndsEven<T>(FixedBlockAllocator<T> allocator)
        where T : unmanaged
    {
        allocator.Clear();
        Assert.Equal(0, allocator.Count);
        FixedBlockAllocatorTests.AssertBlocks(allocator, rented: 0, idle: (int)(allocator.GetStatistics().IdleBytes / TestSystem.BlockBytes));
        allocator.Dispose();
        _system.Source.AssertAllFreed();
        _system.Dispose();
    }
}
