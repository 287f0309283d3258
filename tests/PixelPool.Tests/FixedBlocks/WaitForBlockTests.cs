using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using PixelPool.FixedBlocks;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Stress;
using static PixelPool.Tests.FixedBlocks.FixedBlockAllocatorTests;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Objects that need a block for which the budget has no room: what makes room, what serves who waits instead, and how a wait ends.</summary>
public sealed unsafe class WaitForBlockTests : IDisposable
{
    private const int BlockBytes = TestSystem.BlockBytes;

    private static readonly int s_perBlock = new PieceLayout(sizeof(Sized.Of32), BlockBytes).Capacity;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    private readonly TestSystem _system = new();

    public void Dispose()
    {
        _system.Source.AssertAllFreed();
        _system.Dispose();
    }

    [Fact]
    public void An_object_waits_for_the_budget_as_long_as_a_rent()
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 1, static options =>
        {
            options.TimeProvider = TimeProvider.System;
            options.RentTimeout = s_limit;
        });
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        PixelBuffer<byte> image = allocator.Rent<byte>(256, 200);
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                objects.Allocate();
                return;
            }

            Assert.True(SpinWait.SpinUntil(() => allocator.GetWaitingRents().Count == 1, s_limit));
            Assert.Equal(BlockBytes, allocator.GetWaitingRents()[0].Bytes);
            image.Dispose();
        });
        Assert.Equal(1, objects.Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_object_that_another_thread_frees_serves_who_waits_for_a_block(bool checksFrees)
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 1);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator, checksFrees);
        nint[] items = [];
        nint[] further = [];
        bool isReady = false;
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                items = Allocate(objects, s_perBlock);
                Volatile.Write(ref isReady, true);
                further = Allocate(objects, 3);
                return;
            }

            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref isReady), s_limit));
            for (int i = 0; i < 3; i++)
            {
                Assert.True(SpinWait.SpinUntil(() => allocator.GetWaitingRents().Count == 1, s_limit));
                objects.Free((Sized.Of32*)items[i]);
                Assert.True(SpinWait.SpinUntil(() => objects.Count == s_perBlock, s_limit), "it waits although an object is free");
            }
        });
        Assert.Equal(items.Take(3), further);
        Assert.Equal((BlockBytes, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
        Assert.Empty(allocator.GetWaitingRents());
        objects.Clear();
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public void An_interrupted_thread_frees_an_object_and_keeps_the_interrupt()
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 1);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        using var never = new ManualResetEvent(false);
        nint[] items = [];
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                Volatile.Write(ref items, Allocate(objects, s_perBlock));
                objects.Allocate();
                return;
            }

            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref items).Length != 0 && allocator.GetWaitingRents().Count == 1, s_limit));
            Thread.CurrentThread.Interrupt();
            objects.Free((Sized.Of32*)items[0]);
            Assert.Throws<ThreadInterruptedException>(() => never.WaitOne(s_limit));
            Assert.True(SpinWait.SpinUntil(() => allocator.GetWaitingRents().Count == 0, s_limit));
        });
        Assert.Equal(s_perBlock, objects.Count);
    }

    [Fact]
    public void A_block_that_another_thread_keeps_empty_makes_room()
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 1);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        using var other = new Barrier(2);
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                objects.Free(objects.Allocate());
                other.SignalAndWait();
                other.SignalAndWait();
                return;
            }

            other.SignalAndWait();
            objects.Allocate();
            other.SignalAndWait();
        });
        Assert.Equal((1, 0), (objects.Count, allocator.GetStatistics().BudgetRefusals));
        Assert.Equal((BlockBytes, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void A_block_becomes_empty_while_somebody_waits_and_its_thread_sleeps_or_has_ended(bool frees, bool ends)
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 1);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        using var isAwaited = new ManualResetEventSlim();
        using var isOver = new ManualResetEventSlim();
        nint item = 0;
        var owner = new Thread(() =>
        {
            nint own = (nint)objects.Allocate();
            Volatile.Write(ref item, own);
            Assert.True(SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, s_limit));
            isAwaited.Set();
            if (frees)
            {
                objects.Free((Sized.Of32*)own);
            }

            Assert.True(ends || isOver.Wait(s_limit));
        });
        owner.Start();
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref item) != 0, s_limit));
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                objects.Allocate();
                isOver.Set();
                return;
            }

            if (!frees)
            {
                Assert.True(isAwaited.Wait(s_limit));
                Assert.True(!ends || owner.Join(s_limit));
                objects.Free((Sized.Of32*)item);
            }
        });
        owner.Join();
        Assert.Equal((1L, BlockBytes), (objects.Count, allocator.GetStatistics().RentedBytes));
    }

    [Fact]
    public void Objects_of_a_thread_that_ends_while_somebody_waits_are_taken_over()
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 1);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        using var ends = new ManualResetEventSlim();
        Thread owner = StartOwner(objects, ends);
        Assert.True(SpinWait.SpinUntil(() => objects.Count == 1, s_limit));
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                objects.Allocate();
                return;
            }

            Assert.True(SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, s_limit));
            ends.Set();
            Assert.True(owner.Join(s_limit));
            Assert.True(SpinWait.SpinUntil(
                () =>
                {
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                    return objects.Count == 2;
                },
                s_limit));
        });
        Assert.Equal(BlockBytes, allocator.GetStatistics().RentedBytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Thread StartOwner(FixedBlockAllocator<Sized.Of32> objects, ManualResetEventSlim ends)
    {
        var owner = new Thread(() =>
        {
            objects.Allocate();
            Assert.True(ends.Wait(s_limit));
        });
        owner.Start();
        return owner;
    }

    [Fact]
    public void Producers_wait_for_what_consumers_free()
    {
        const int Pairs = 3;
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 2 * Pairs);
        using var objects = new FixedBlockAllocator<Sized.Of1000>(allocator);
        using var passed = new BlockingCollection<nint>();
        int producers = Pairs;
        Simultaneously.Run(2 * Pairs, index =>
        {
            if (index < Pairs)
            {
                for (int i = 0; i < 4_000; i++)
                {
                    passed.Add((nint)objects.Allocate());
                }

                if (Interlocked.Decrement(ref producers) == 0)
                {
                    passed.CompleteAdding();
                }

                return;
            }

            foreach (nint item in passed.GetConsumingEnumerable())
            {
                objects.Free((Sized.Of1000*)item);
            }
        });
        Assert.Equal(0, objects.Count);
        objects.Trim();
        Assert.Equal((0, 0, 0), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().WaitingRents));
    }

    [Fact]
    [Trait("Category", "Long")]
    public void A_trim_takes_no_object_from_who_is_about_to_wait()
    {
        const int Most = 500;
        int frees = Most;
        TimeSpan time = StressTime.Of(1.5);
        long started = TimeProvider.System.GetTimestamp();
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 1);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        nint[] items = new nint[s_perBlock + Most];
        int count = 0;
        int freed = 0;
        Simultaneously.Run(3, index =>
        {
            switch (index)
            {
                case 0:
                    for (; count < s_perBlock + Volatile.Read(ref frees); Volatile.Write(ref count, count + 1))
                    {
                        items[count] = (nint)objects.Allocate();
                    }

                    break;
                case 1:
                    // One at a time, as soon as the one before was taken: its thread is anywhere on its way to the next wait.
                    for (; freed < frees; Volatile.Write(ref freed, freed + 1))
                    {
                        // Who trims without a pause leaves the others little time. The next free is the last one then: who waits for it looks afterwards.
                        if (freed >= 20 && TimeProvider.System.GetElapsedTime(started) >= time)
                        {
                            Volatile.Write(ref frees, freed + 1);
                        }

                        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref count) >= s_perBlock + freed, s_limit), "it waits although an object is free");
                        objects.Free((Sized.Of32*)items[freed]);
                    }

                    break;
                default:
                    while (Volatile.Read(ref freed) < Volatile.Read(ref frees))
                    {
                        objects.Trim();
                    }

                    break;
            }
        });
        Assert.Equal(s_perBlock, objects.Count);
    }

    [Theory]
    [InlineData(nameof(FixedBlockAllocator<int>.Clear))]
    [InlineData(nameof(FixedBlockAllocator<int>.Dispose))]
    [InlineData(nameof(PixelAllocator))]
    [InlineData(nameof(Thread.Interrupt))]
    public void What_ends_a_wait_loses_nothing(string what)
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 1);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        Exception? thrown = null;
        Thread? owner = null;
        bool isOver = false;
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                Allocate(objects, s_perBlock);
                Volatile.Write(ref owner, Thread.CurrentThread);
                thrown = Record.Exception(() => _ = (nint)objects.Allocate());
                Volatile.Write(ref isOver, true);
                return;
            }

            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref owner) is not null && allocator.GetWaitingRents().Count == 1, s_limit));
            switch (what)
            {
                case nameof(FixedBlockAllocator<int>.Clear):
                    objects.Clear();
                    break;
                case nameof(FixedBlockAllocator<int>.Dispose):
                    objects.Dispose();
                    break;
                case nameof(PixelAllocator):
                    allocator.Dispose();
                    break;
                default:
                    owner!.Interrupt();
                    break;
            }

            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref isOver), s_limit), "it waits forever");
        });
        Assert.Equal(
            what switch { nameof(FixedBlockAllocator<int>.Clear) => null, nameof(Thread.Interrupt) => typeof(ThreadInterruptedException), _ => typeof(ObjectDisposedException) },
            thrown?.GetType());
        Assert.Empty(allocator.GetWaitingRents());
        objects.Dispose();
        Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().ChargedBytes));
    }

    private PixelAllocator CreateAllocator(int blocksInBudget, Action<PixelAllocatorOptions>? configure = null) => _system.CreateAllocator(configure: options =>
    {
        options.MaxRentedBytes = (long)blocksInBudget * BlockBytes;
        options.RentTimeout = Timeout.InfiniteTimeSpan;
        configure?.Invoke(options);
    });
}
