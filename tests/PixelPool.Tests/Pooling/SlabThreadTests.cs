using System.Collections.Concurrent;
using System.Globalization;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tiers;

namespace PixelPool.Tests.Pooling;

/// <summary>Slabs among threads: what is rented on one and returned on another, threads that end, are interrupted, or trim beside.</summary>
public sealed class SlabThreadTests : IDisposable
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromSeconds(60);

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Burst_of_which_half_is_returned_elsewhere_leaves_nothing_behind()
    {
        using PixelAllocator allocator = Create(capacity: 4096);
        var elsewhere = new ConcurrentBag<PixelBuffer<byte>>();
        OnThreads(8, worker =>
        {
            var random = new Random(worker);
            PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 300).Select(_ => allocator.Rent<byte>(random.Next(1, 32 << 10), 1))];
            for (int i = 0; i < images.Length; i++)
            {
                if (i % 2 == 0)
                {
                    elsewhere.Add(images[i]);
                }
                else
                {
                    images[i].Dispose();
                }
            }
        });
        OnThreads(8, _ =>
        {
            while (elsewhere.TryTake(out PixelBuffer<byte>? image))
            {
                image.Dispose();
            }
        });
        PixelPoolStatistics before = allocator.GetStatistics();
        StatisticsAssert.Balanced(before);
        Assert.Equal((0, 2400), (before.RentedBytes, before.SmallRents));
        Assert.Equal(before.IdleBytes, allocator.Trim());
        PixelPoolStatistics after = allocator.GetStatistics();
        Assert.Equal((0, 0), (after.RentedBytes, after.IdleBytes));
        _system.Source.AssertAllFreed();
    }

    [Fact]
    [Trait("Category", "Long")]
    public void A_free_piece_is_found_whatever_processor_it_was_returned_on()
    {
        Assert.SkipUnless(ProcessorBinding.IsSupported, "no two processors to move between");
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 1);
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(64);
        bool isOver = false;
        using var isCut = new ManualResetEventSlim();
        Simultaneously.Run(2, s_timeLimit, worker =>
        {
            if (worker == 0)
            {
                // That stays: the block is cut all the time.
                Assert.True(sizeClass.TryTake(out Slab kept, out nint first));
                isCut.Set();
                for (int i = 0; i < 5_000; i++)
                {
                    Assert.True(ProcessorBinding.TryBind(i % 2));
                    Assert.True(sizeClass.TryTake(out Slab slab, out nint address));
                    slab.Return(address);
                }

                Volatile.Write(ref isOver, true);
                kept.Return(first);
                return;
            }

            isCut.Wait(s_timeLimit);
            while (!Volatile.Read(ref isOver))
            {
                if (sizeClass.TryTake(out Slab slab, out nint address))
                {
                    slab.Return(address);
                }
                else
                {
                    Assert.True(Volatile.Read(ref isOver), "no piece was found, although nearly all are free");
                }
            }
        });
    }

    [Fact]
    public void Pieces_of_a_thread_that_ended_are_returned_and_rented_by_others()
    {
        using PixelAllocator allocator = Create(capacity: 1);
        PixelBuffer<byte>[] images = [];
        OnThreads(1, _ => images = [.. Enumerable.Range(0, 16).Select(_ => allocator.Rent<byte>(64, 64))]);
        images[3].Dispose();
        using (PixelBuffer<byte> again = allocator.Rent<byte>(64, 64))
        {
            // The pool is full: it is the piece that came back.
            Assert.Equal((TestSystem.BlockBytes, 0), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().UnpooledRents));
        }

        Array.ForEach(images, static image => image.Dispose());
        Assert.Equal((0, TestSystem.BlockBytes), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
        Assert.Equal(TestSystem.BlockBytes, allocator.Trim());
    }

    [Fact]
    public void Return_that_waits_for_a_slab_is_not_interrupted()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(16384)!;
        Assert.True(sizeClass.TryTake(out Slab slab, out nint address));
        bool isInterrupted = false;
        var thread = new Thread(() =>
        {
            slab.Return(address);
            try
            {
                var never = new object();
                lock (never)
                {
                    Monitor.Wait(never, s_timeLimit);
                }
            }
            catch (ThreadInterruptedException)
            {
                isInterrupted = true;
            }
        });
        using (slab.Owner.Hold())
        {
            thread.Start();
            Await(() => (thread.ThreadState & ThreadState.WaitSleepJoin) != 0);
            thread.Interrupt();
        }

        Assert.True(thread.Join(s_timeLimit));
        Assert.True(isInterrupted, "the interrupt was lost");
        StatisticsAssert.Cut(pool, inUse: 0, empty: 1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Nothing_is_shared_or_lost_while_others_trim(bool hasBudget)
    {
        string text = Environment.GetEnvironmentVariable("PIXELPOOLTESTS_STRESS_SEED") ?? Random.Shared.Next().ToString(CultureInfo.InvariantCulture);
        TestContext.Current.TestOutputHelper?.WriteLine($"PIXELPOOLTESTS_STRESS_SEED={text}");
        int seed = int.Parse(text, CultureInfo.InvariantCulture);
        using PixelAllocator allocator = Create(capacity: 24, options => options.MaxRentedBytes = hasBudget ? 40 * TestSystem.BlockBytes : null);
        var handedOver = new ConcurrentQueue<Stamped>();
        int working = 4;
        OnThreads(5, worker =>
        {
            if (worker == 4)
            {
                while (Volatile.Read(ref working) != 0)
                {
                    allocator.TrimTo(8 * TestSystem.BlockBytes);
                    PixelPoolStatistics now = allocator.GetStatistics();
                    Assert.True(now.RentedBytes >= 0 && now.IdleBytes >= 0, now.ToString());
                }

                return;
            }

            try
            {
                Work(allocator, handedOver, new Random(seed + worker));
            }
            finally
            {
                Interlocked.Decrement(ref working);
            }
        });
        while (handedOver.TryDequeue(out Stamped? image))
        {
            image.VerifyAndReturn();
        }

        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((0, 0), (statistics.RentedBytes, statistics.ChargedBytes));
        allocator.Trim();
        _system.Source.AssertAllFreed();
    }

    private static void Work(PixelAllocator allocator, ConcurrentQueue<Stamped> handedOver, Random random)
    {
        var held = new List<Stamped>();
        for (int i = 0; i < 6_000; i++)
        {
            int bytes = random.Next(10) == 0 ? random.Next(1, 64 << 10) : random.Next(1, 3000);
            if (allocator.TryRent(bytes, 1, out PixelBuffer<byte>? buffer))
            {
                var image = new Stamped(buffer, (byte)random.Next(256));
                if (random.Next(3) == 0)
                {
                    handedOver.Enqueue(image);
                }
                else
                {
                    held.Add(image);
                }
            }

            while (held.Count > random.Next(1, 40))
            {
                int index = random.Next(held.Count);
                held[index].VerifyAndReturn();
                held.RemoveAt(index);
            }

            if (random.Next(2) == 0 && handedOver.TryDequeue(out Stamped? other))
            {
                other.VerifyAndReturn();
            }
        }

        held.ForEach(static image => image.VerifyAndReturn());
    }

    private static void OnThreads(int count, Action<int> work)
    {
        var failures = new ConcurrentQueue<Exception>();
        Thread[] threads =
        [
            .. Enumerable.Range(0, count).Select(index => new Thread(() =>
            {
                try
                {
                    work(index);
                }
#pragma warning disable CA1031 // shown by the thread of the test
                catch (Exception failure)
                {
                    failures.Enqueue(failure);
                }
#pragma warning restore CA1031
            })),
        ];
        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => Assert.True(thread.Join(s_timeLimit), "a thread does not end"));
        Assert.Empty(failures);
    }

    private static void Await(Func<bool> condition)
    {
        long started = TimeProvider.System.GetTimestamp();
        while (!condition())
        {
            Assert.True(TimeProvider.System.GetElapsedTime(started) < s_timeLimit, "it does not come");
            Thread.Yield();
        }
    }

    private PixelAllocator Create(int capacity, Action<PixelAllocatorOptions>? configure = null) => _system.CreateAllocator(capacity, options =>
    {
        options.SmallBuffers = SmallBufferStrategy.Slab;
        options.SmallBufferThresholdBytes = TestSystem.BlockBytes / 2;
        configure?.Invoke(options);
    });

    // Every byte has the stamp, which nobody else may overwrite.
    private sealed class Stamped
    {
        private readonly PixelBuffer<byte> _buffer;
        private readonly byte _stamp;

        public Stamped(PixelBuffer<byte> buffer, byte stamp)
        {
            _buffer = buffer;
            _stamp = stamp;
            buffer.Fill(stamp);
        }

        public void VerifyAndReturn()
        {
            Assert.Equal(-1, _buffer.DangerousGetRowSpan(0).IndexOfAnyExcept(_stamp));
            _buffer.Dispose();
        }
    }
}
