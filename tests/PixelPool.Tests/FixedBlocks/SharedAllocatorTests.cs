using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.FixedBlocks;
using PixelPool.Native;
using PixelPool.Tests.Infrastructure;
using static PixelPool.Tests.FixedBlocks.FixedBlockAllocatorTests;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Objects over an allocator of images: one pool, one budget, one list of what is held.</summary>
public sealed unsafe class SharedAllocatorTests : IDisposable
{
    private const int BlockBytes = TestSystem.BlockBytes;

    private static readonly PieceLayout s_layout = new(sizeof(Sized.Of32), BlockBytes);
    private static readonly int s_perBlock = s_layout.Capacity;

    private readonly TestSystem _system = new();

    public void Dispose()
    {
        _system.Source.AssertAllFreed();
        _system.Dispose();
    }

    [Fact]
    public void Images_and_objects_use_each_others_idle_blocks()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        RentImage(allocator).Dispose();
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        objects.Allocate();
        Assert.Equal(1, _system.Source.Allocations);
        AssertBytes(allocator, rented: BlockBytes, idle: 0);
        objects.Clear();
        AssertBytes(allocator, rented: 0, idle: BlockBytes);
        RentImage(allocator).Dispose();
        Assert.Equal(1, _system.Source.Allocations);
    }

    [Fact]
    public void Several_types_share_an_allocator()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using var nodes = new FixedBlockAllocator<Sized.Of32>(allocator);
        using var leaves = new FixedBlockAllocator<Sized.Of200>(allocator);
        nodes.Allocate();
        leaves.Allocate();
        nodes.Dispose();
        AssertBytes(allocator, rented: BlockBytes, idle: BlockBytes);
        Assert.Equal(1, leaves.Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_budget_without_room_refuses_a_block_and_loses_nothing(bool checksFrees)
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 2);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator, checksFrees);
        using PixelBuffer<byte> image = RentImage(allocator);
        nint[] items = Allocate(objects, s_perBlock);
        for (int i = 0; i < 3; i++)
        {
            PixelBudgetExceededException error = Assert.Throws<PixelBudgetExceededException>(() => _ = (nint)objects.Allocate());
            Assert.Equal((BlockBytes, 2 * BlockBytes), (error.RequestedBytes, error.LimitBytes));
            Assert.Equal("budget of the allocator \"shared\"", error.Budget);
            Assert.Equal((s_perBlock, 2 * BlockBytes), (objects.Count, allocator.GetStatistics().ChargedBytes));
        }

        Assert.Equal(3, allocator.GetStatistics().BudgetRefusals);
        AssertBytes(allocator, rented: 2 * BlockBytes, idle: 0);

        // What is freed serves without a block.
        objects.Free((Sized.Of32*)items[7]);
        Assert.Equal(items[7], (nint)objects.Allocate());
        image.Dispose();
        Allocate(objects, s_perBlock);
        Assert.Equal(2 * s_perBlock, objects.Count);
    }

    [Fact]
    public void An_image_is_refused_while_objects_hold_the_budget()
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 2);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        nint[] items = Allocate(objects, 2 * s_perBlock);
        Assert.False(allocator.TryRent<byte>(256, 200, out _));
        Free(objects, items);

        // One block is kept, empty, by the thread.
        RentImage(allocator).Dispose();
        Assert.False(allocator.TryRent<byte>(256, 400, out _));
        objects.Trim();
        Assert.True(allocator.TryRent(256, 400, out PixelBuffer<byte>? image));
        image.Dispose();
    }

    [Fact]
    public void Objects_outlive_a_disposed_allocator_which_gives_no_further_block()
    {
        PixelAllocator allocator = CreateAllocator(blocksInBudget: 8);
        var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        nint[] items = Allocate(objects, s_perBlock);
        ((Sized.Of32*)items[0])->Stamp = 7;
        allocator.Dispose();
        Assert.Equal("PixelAllocator", Assert.Throws<ObjectDisposedException>(() => _ = (nint)objects.Allocate()).ObjectName);
        Assert.Equal((7L, s_perBlock), (((Sized.Of32*)items[0])->Stamp, objects.Count));
        objects.Free((Sized.Of32*)items[1]);
        Assert.Equal(items[1], (nint)objects.Allocate());
        objects.Dispose();
        _system.Source.AssertAllFreed();
        Assert.Equal((0, 0), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().ChargedBytes));
    }

    [Fact]
    public void Images_outlive_disposed_objects_whose_blocks_stay_idle()
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 8);
        var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        using PixelBuffer<byte> image = RentImage(allocator);
        Allocate(objects, 3 * s_perBlock);
        objects.Dispose();
        AssertBytes(allocator, rented: BlockBytes, idle: 3 * BlockBytes);
        Assert.Throws<ObjectDisposedException>(() => _ = (nint)objects.Allocate());
        objects.Dispose();
        RentImage(allocator).Dispose();
        Assert.Equal(4, _system.Source.Allocations);
    }

    [Fact]
    public void Statistics_are_those_of_the_allocator()
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 8);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        using PixelBuffer<byte> image = RentImage(allocator);
        Allocate(objects, s_perBlock + 1);
        Assert.Equal(allocator.GetStatistics(), objects.GetStatistics());
        Assert.Equal(3 * BlockBytes, objects.GetStatistics().RentedBytes);
        Assert.Equal(3, objects.GetStatistics().Rents);
        objects.Clear();
        Assert.Equal(2 * BlockBytes, objects.Trim());
        AssertBytes(allocator, rented: BlockBytes, idle: 0);
    }

    [Fact]
    public void A_block_from_the_system_serves_where_the_pool_is_full()
    {
        using PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: 1);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        nint[] items = Allocate(objects, 2 * s_perBlock);
        Assert.Equal(1, allocator.GetStatistics().UnpooledRents);
        AssertBytes(allocator, rented: 2 * BlockBytes, idle: 0);
        Free(objects, items);
        objects.Trim();
        AssertBytes(allocator, rented: 0, idle: 0);
    }

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool)]
    [InlineData(SmallBufferStrategy.Slab)]
    [InlineData(SmallBufferStrategy.None)]
    public void A_block_serves_also_where_its_bytes_would_be_small_memory(SmallBufferStrategy small)
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: options =>
        {
            options.SmallBuffers = small;
            options.SmallBufferThresholdBytes = BlockBytes;
        });
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        nint[] items = Allocate(objects, s_perBlock);
        Assert.Equal((1, 0), (allocator.GetStatistics().Misses, allocator.GetStatistics().SmallRents));
        nint block = (nint)s_layout.BlockOf((byte*)items[0]);
        Assert.Equal(0, block % BlockSource.AlignmentBytes);
        Assert.Equal(block, (nint)s_layout.BlockOf((byte*)items[^1]));
        Free(objects, items);
    }

    [Fact]
    public void Blocks_are_listed_with_the_line_that_allocated()
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 8, static options => options.LeakTracking = LeakTracking.Full);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        objects.Allocate();
        RentRecord held = Assert.Single(allocator.GetOutstandingRents());
        Assert.Equal(BlockBytes, held.Bytes);
        Assert.Contains(nameof(Blocks_are_listed_with_the_line_that_allocated), held.Place, StringComparison.Ordinal);
        objects.Clear();
        Assert.Empty(allocator.GetOutstandingRents());
    }

    [Fact]
    public void What_is_dropped_comes_back_and_is_no_leak()
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 8, static options => options.LeakTracking = LeakTracking.Full);
        Drop(allocator);
        Collector.CollectAll();
        AssertBytes(allocator, rented: 0, idle: 3 * BlockBytes);
        Assert.Equal((0, 0), (allocator.GetStatistics().LeakedCount, allocator.GetStatistics().SecondReturns));
    }

    [Fact]
    public void Objects_keep_the_memory_of_an_allocator_that_is_dropped()
    {
        UseDropped();
        Collector.CollectAll();
    }

    [Fact]
    public void With_clear_on_return_no_object_is_seen_again()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.ClearOnReturn = true);
        using var objects = new FixedBlockAllocator<Sized.Of200>(allocator);
        Sized.Of200* item = objects.Allocate();
        new Span<byte>(item, sizeof(Sized.Of200)).Fill(9);
        objects.Free(item);
        Assert.Equal(-1, new Span<byte>(objects.Allocate(), sizeof(Sized.Of200)).Slice(IntPtr.Size).IndexOfAnyExcept((byte)0));
        new Span<byte>(item, sizeof(Sized.Of200)).Fill(9);
        objects.Clear();
        using PixelBuffer<byte> image = allocator.Rent<byte>(BlockBytes, 1);
        Assert.Equal(1, _system.Source.Allocations);
        image.ProcessPixelRows(static rows => Assert.Equal(-1, rows.GetRowSpan(0).IndexOfAnyExcept((byte)0)));
    }

    [Fact]
    public void Threads_take_and_give_back_images_and_objects_within_one_budget()
    {
        using PixelAllocator allocator = CreateAllocator(blocksInBudget: 12);
        using (var objects = new FixedBlockAllocator<Sized.Of1000>(allocator, checksFrees: true))
        {
            Simultaneously.Run(4, index =>
            {
                var random = new Random(index);
                var items = new Stack<nint>();
                for (int step = 0; step < 4000; step++)
                {
                    Step(allocator, objects, random, items);
                }

                Free(objects, items);
            });
            Assert.Equal(0, objects.Count);
            Assert.InRange(allocator.GetStatistics().PeakHeldBytes, 1, 12 * BlockBytes);
        }

        Assert.Equal((0, 0), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().LeakedCount));
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    private static void Step(PixelAllocator allocator, FixedBlockAllocator<Sized.Of1000> objects, Random random, Stack<nint> items)
    {
        try
        {
            switch (random.Next(20))
            {
                case 0:
                    RentImage(allocator).Dispose();
                    break;
                case 1 when random.Next(10) == 0:
                    objects.Trim();
                    break;
                case < 12:
                    items.Push((nint)objects.Allocate());
                    break;
                default:
                    objects.Free(items.TryPop(out nint item) ? (Sized.Of1000*)item : null);
                    break;
            }
        }
        catch (PixelBudgetExceededException)
        {
            // Then there is room again.
            Free(objects, items);
            items.Clear();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UseDropped()
    {
        using var objects = new FixedBlockAllocator<Sized.Of32>(CreateAllocator(blocksInBudget: 8));
        nint[] items = Allocate(objects, s_perBlock);
        ((Sized.Of32*)items[0])->Stamp = 7;
        Collector.CollectAll();
        items = [.. items, .. Allocate(objects, s_perBlock)];
        Assert.Equal(7, ((Sized.Of32*)items[0])->Stamp);
        Assert.Equal(items.Length, items.Distinct().Count());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(PixelAllocator allocator) => Allocate(new FixedBlockAllocator<Sized.Of32>(allocator), 3 * s_perBlock);

    // One block.
    private static PixelBuffer<byte> RentImage(PixelAllocator allocator) => allocator.Rent<byte>(256, 200);

    private static void AssertBytes(PixelAllocator allocator, long rented, long idle)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((rented, idle), (statistics.RentedBytes, statistics.IdleBytes));
    }

    private PixelAllocator CreateAllocator(int blocksInBudget, Action<PixelAllocatorOptions>? configure = null) => _system.CreateAllocator(configure: options =>
    {
        options.Name = "shared";
        options.MaxRentedBytes = (long)blocksInBudget * BlockBytes;
        configure?.Invoke(options);
    });
}
