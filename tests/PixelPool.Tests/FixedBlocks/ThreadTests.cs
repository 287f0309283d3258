using System.Runtime.CompilerServices;
using PixelPool.FixedBlocks;
using PixelPool.Tests.Infrastructure;
using static PixelPool.Tests.FixedBlocks.FixedBlockAllocatorTests;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Objects that other threads free, and threads that end.</summary>
public sealed unsafe class ThreadTests : IDisposable
{
    private static readonly int s_perBlock = new PieceLayout(sizeof(Sized.Of32), TestSystem.BlockBytes).Capacity;

    private readonly TestSystem _system = new();
    private readonly FixedBlockAllocator<Sized.Of32> _allocator;

    public ThreadTests() => _allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options(capacityInBlocks: 1024));

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Source.AssertAllFreed();
        _system.Dispose();
    }

    [Fact]
    public void Each_thread_takes_objects_from_a_block_of_its_own()
    {
        nint mine = Allocate(_allocator, 1)[0];
        nint others = 0;
        OnThread(() => others = Allocate(_allocator, 1)[0]);
        Assert.True(Math.Abs(mine - others) > sizeof(Sized.Of32) * 2L);
        AssertBlocks(_allocator, rented: 2, idle: 0);
        Assert.Equal(2, _allocator.Count);
    }

    [Fact]
    public void Objects_that_another_thread_freed_serve_again()
    {
        nint[] items = Allocate(_allocator, 3 * s_perBlock);
        OnThread(() => Free(_allocator, items));
        Assert.Equal(0, _allocator.Count);
        AssertBlocks(_allocator, rented: 3, idle: 0);

        // Claimed when room is needed: the empty blocks but one go back.
        Allocate(_allocator, 1);
        AssertBlocks(_allocator, rented: 1, idle: 2);
        Allocate(_allocator, (3 * s_perBlock) - 1);
        AssertBlocks(_allocator, rented: 3, idle: 0);
        Assert.Equal(3, _system.Source.Allocations);
        Assert.Equal(3 * s_perBlock, _allocator.Count);
    }

    [Fact]
    public void A_block_that_came_while_others_made_room_is_found_by_a_trim()
    {
        nint[] items = Allocate(_allocator, s_perBlock);
        _system.Source.OnAllocate = _ => OnThread(() =>
        {
            Free(_allocator, items[..1]);
            _allocator.Trim();
        });
        nint last = Allocate(_allocator, 1)[0];
        _system.Source.OnAllocate = null;
        AssertBlocks(_allocator, rented: 2, idle: 0);
        Free(_allocator, [.. items[1..], last]);
        _allocator.Trim();
        AssertBlocks(_allocator, rented: 0, idle: 0);
    }

    [Fact]
    public void A_block_that_another_thread_emptied_serves_again_where_the_pool_has_no_other()
    {
        EmptyElsewhere<Sized.Of12>();
        EmptyElsewhere<Sized.Of1000>();
        EmptyElsewhere<Sized.Of40000>();
    }

    [Fact]
    public void Objects_that_another_thread_freed_are_claimed_by_a_trim()
    {
        nint[] items = Allocate(_allocator, 3 * s_perBlock);
        OnThread(() => Free(_allocator, items.Skip(1)));
        Assert.Equal(2 * TestSystem.BlockBytes, _allocator.Trim());
        Assert.Equal(1, _allocator.Count);
        AssertBlocks(_allocator, rented: 1, idle: 0);
    }

    [Fact]
    public void Two_threads_free_the_objects_of_each_other()
    {
        nint[][] items = [[], []];
        using var exchanged = new Barrier(2);
        Simultaneously.Run(2, index =>
        {
            for (int round = 0; round < 20; round++)
            {
                items[index] = Allocate(_allocator, s_perBlock + 7);
                exchanged.SignalAndWait();
                Free(_allocator, items[1 - index]);
                exchanged.SignalAndWait();
            }
        });
        Assert.Equal(0, _allocator.Count);
        Assert.InRange(_system.Source.Allocations, 4, 8);
    }

    [Fact]
    public void Blocks_of_a_thread_that_ended_go_to_the_next_one_that_needs_one()
    {
        nint[] items = EndedThread(2 * s_perBlock);
        nint kept = items[3];
        ((Sized.Of32*)kept)->Stamp = 5;
        Free(_allocator, items.Where(item => item != kept));
        Allocate(_allocator, (2 * s_perBlock) - 1);
        Assert.Equal(2, _system.Source.Allocations);
        Assert.Equal(5, ((Sized.Of32*)kept)->Stamp);
        Assert.Equal(2 * s_perBlock, _allocator.Count);
    }

    [Fact]
    public void The_last_free_of_a_block_whose_thread_ended_gives_it_back()
    {
        Allocate(_allocator, 1);
        nint[] items = EndedThread(3 * s_perBlock);
        AssertBlocks(_allocator, rented: 4, idle: 0);
        OnThread(() => Free(_allocator, items));

        // The thread that freed them keeps one.
        AssertBlocks(_allocator, rented: 2, idle: 2);
        Assert.Equal(1, _allocator.Count);
    }

    [Fact]
    public void An_empty_block_of_a_thread_that_ended_goes_back_with_a_trim()
    {
        EndedThread(0);
        Assert.Equal(TestSystem.BlockBytes, _allocator.Trim());
        AssertBlocks(_allocator, rented: 0, idle: 0);
    }

    [Fact]
    [Trait("Category", "Long")]
    public void Threads_that_come_and_go_need_no_more_blocks_than_one()
    {
        for (int i = 0; i < 20; i++)
        {
            EndedThread(0);
        }

        Assert.Equal(1, _system.Source.Allocations);
    }

    [Fact]
    public void Clear_ends_what_every_thread_has()
    {
        using var cleared = new Barrier(2);
        Simultaneously.Run(2, index =>
        {
            Allocate(_allocator, (2 * s_perBlock) + 1);
            cleared.SignalAndWait();
            if (index == 0)
            {
                _allocator.Clear();
                Assert.Equal(0, _allocator.Count);
                AssertBlocks(_allocator, rented: 0, idle: 6);
            }

            cleared.SignalAndWait();
            nint[] items = Allocate(_allocator, s_perBlock);
            foreach (nint item in items)
            {
                ((Sized.Of32*)item)->Stamp = item;
            }

            cleared.SignalAndWait();
            Assert.All(items, item => Assert.Equal(item, ((Sized.Of32*)item)->Stamp));
        });
        Assert.Equal(2 * s_perBlock, _allocator.Count);
        _allocator.Clear();
        Assert.Equal(6 * TestSystem.BlockBytes, _allocator.Trim());
    }

    [Fact]
    public void Clear_while_other_threads_allocate()
    {
        const int Rounds = 200;
        Simultaneously.Run(4, index =>
        {
            for (int round = 0; round < Rounds; round++)
            {
                if (index == 0)
                {
                    _allocator.Clear();
                    _ = _allocator.Count;
                }
                else
                {
                    Allocate(_allocator, 500);
                }
            }
        });
        _allocator.Clear();
        Assert.Equal(0, _allocator.Count);
        _allocator.Trim();
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void An_allocator_that_is_dropped_gives_its_memory_back_although_its_threads_live()
    {
        long before = _system.Source.LivePieces;
        WeakReference dropped = Drop(_system);
        Assert.True(_system.Source.LivePieces > before);
        Collector.CollectAll();
        Assert.False(dropped.IsAlive);
        Assert.Equal(before, _system.Source.LivePieces);
    }

    [Fact]
    public void A_dropped_allocator_returns_blocks_to_the_pool_it_was_given()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        DropWith(pool);
        Collector.CollectAll();
        StatisticsAssert.Blocks(pool, rented: 0, idle: 1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Drop(TestSystem system)
    {
        var allocator = new FixedBlockAllocator<Sized.Of32>(system.Options());
        Allocate(allocator, 2 * s_perBlock);
        return new WeakReference(allocator);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropWith(UniformUnmanagedMemoryPool pool) => new FixedBlockAllocator<Sized.Of32>(pool, checksFrees: false).Allocate();

    // Allocates so many objects, and one that it frees, on a thread that has ended and was collected.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private nint[] EndedThread(int count)
    {
        nint[] items = [];
        OnThread(() =>
        {
            items = Allocate(_allocator, count);
            if (count == 0)
            {
                _allocator.Free(_allocator.Allocate());
            }
        });
        Collector.CollectAll();
        return items;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void OnThread(Action body) => Simultaneously.Run(1, _ => body());

    private static void EmptyElsewhere<T>()
        where T : unmanaged
    {
        using var system = new TestSystem();
        using var allocator = new FixedBlockAllocator<T>(system.Options(capacityInBlocks: 1));
        int perBlock = new PieceLayout(sizeof(T), TestSystem.BlockBytes).Capacity;
        for (int round = 0; round < 3; round++)
        {
            nint[] items = FixedBlockAllocatorTests.Allocate(allocator, perBlock);
            OnThread(() => Free(allocator, items));
        }

        Free(allocator, FixedBlockAllocatorTests.Allocate(allocator, perBlock));
        Assert.Equal(TestSystem.BlockBytes, allocator.Trim());
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }
}
