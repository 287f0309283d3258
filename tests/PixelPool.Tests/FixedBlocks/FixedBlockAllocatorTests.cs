using PixelPool.FixedBlocks;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Objects of one thread: counts, reuse, addresses, and the blocks that they are in.</summary>
public sealed unsafe class FixedBlockAllocatorTests : IDisposable
{
    private static readonly int s_perBlock = new PieceLayout(sizeof(Sized.Of32), TestSystem.BlockBytes).Capacity;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Count_is_what_is_allocated_and_not_freed()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options());
        Assert.Equal(0, allocator.Count);
        Sized.Of32* one = allocator.Allocate();
        Sized.Of32* other = allocator.Allocate();
        Assert.Equal(2, allocator.Count);
        allocator.Free(one);
        Assert.Equal(1, allocator.Count);
        allocator.Free(null);
        Assert.Equal(1, allocator.Count);
        allocator.Free(other);
        Assert.Equal(0, allocator.Count);
    }

    [Fact]
    public void What_was_freed_last_is_allocated_next()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options());
        Sized.Of32* kept = allocator.Allocate();
        Sized.Of32* freed = allocator.Allocate();
        allocator.Free(freed);
        Assert.True(freed == allocator.Allocate());
        Assert.True(kept != freed);
    }

    [Fact]
    public void New_objects_lie_side_by_side()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options());
        Sized.Of32* first = allocator.Allocate();
        Assert.True(first + 1 == allocator.Allocate());
        Assert.Equal(0, (nint)first % sizeof(Sized.Of32));
    }

    [Fact]
    public void A_block_is_taken_when_the_others_are_full_and_given_back_when_it_is_empty()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options());
        nint[] items = Allocate(allocator, 3 * s_perBlock);
        AssertBlocks(allocator, rented: 3, idle: 0);
        items = [.. items, .. Allocate(allocator, 1)];
        AssertBlocks(allocator, rented: 4, idle: 0);
        Assert.Equal(items.Length, items.Distinct().Count());

        // One empty block is kept, the others are idle memory.
        Free(allocator, items);
        Assert.Equal(0, allocator.Count);
        AssertBlocks(allocator, rented: 1, idle: 3);
        Allocate(allocator, 4 * s_perBlock);
        AssertBlocks(allocator, rented: 4, idle: 0);
        Assert.Equal(4, _system.Source.Allocations);
    }

    [Fact]
    public void Trim_gives_empty_blocks_to_the_system_and_leaves_objects_alone()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options());
        nint[] items = Allocate(allocator, 2 * s_perBlock);
        var kept = (Sized.Of32*)items[s_perBlock];
        kept->Stamp = 7;
        Free(allocator, items.Where(item => item != (nint)kept));
        AssertBlocks(allocator, rented: 2, idle: 0);
        Assert.Equal(TestSystem.BlockBytes, allocator.Trim());
        AssertBlocks(allocator, rented: 1, idle: 0);
        Assert.Equal((7L, 1L), (kept->Stamp, allocator.Count));
        allocator.Free(kept);
        Assert.Equal(TestSystem.BlockBytes, allocator.Trim());
        Assert.Equal(0, allocator.Trim());
        _system.Source.AssertAllFreed();
        allocator.Free(allocator.Allocate());
    }

    [Fact]
    public void A_full_block_serves_again_after_one_object_was_freed()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options());
        nint[] items = Allocate(allocator, 2 * s_perBlock);
        allocator.Free((Sized.Of32*)items[0]);
        allocator.Free((Sized.Of32*)items[^1]);
        Assert.Equal(new[] { items[0], items[^1] }.Order(), Allocate(allocator, 2).Order());
        AssertBlocks(allocator, rented: 2, idle: 0);
    }

    [Fact]
    public void Objects_of_every_size()
    {
        Check<Sized.Of1>();
        Check<Sized.Of12>();
        Check<Sized.Of32>();
        Check<Sized.Of200>();
        Check<Sized.Of1000>();
        Check<Sized.Of40000>();
        _system.Source.AssertAllFreed();

        void Check<T>()
            where T : unmanaged
        {
            using var allocator = new FixedBlockAllocator<T>(_system.Options());
            int count = (3 * new PieceLayout(sizeof(T), TestSystem.BlockBytes).Capacity) + 1;
            for (int round = 0; round < 3; round++)
            {
                nint[] items = Allocate(allocator, count);
                for (int i = 0; i < count; i++)
                {
                    new Span<byte>((void*)items[i], sizeof(T)).Fill((byte)i);
                }

                for (int i = 0; i < count; i++)
                {
                    Assert.Equal(-1, new Span<byte>((void*)items[i], sizeof(T)).IndexOfAnyExcept((byte)i));
                }

                Assert.Equal(count, allocator.Count);
                Free(allocator, items);
                AssertBlocks(allocator, rented: 1, idle: 3);
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Allocate_and_free_allocate_nothing_managed(bool clears)
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options(configure: options => options.ClearOnReturn = clears));
        AllocationMeter.AssertAllocates(0, () => allocator.Free(allocator.Allocate()));

        // With a block that comes and goes.
        Allocate(allocator, (2 * s_perBlock) - 20);
        AllocationMeter.AssertAllocates(0, () =>
        {
            Sized.Of32** items = stackalloc Sized.Of32*[40 + s_perBlock];
            for (int i = 0; i < 40 + s_perBlock; i++)
            {
                items[i] = allocator.Allocate();
            }

            for (int i = 0; i < 40 + s_perBlock; i++)
            {
                allocator.Free(items[i]);
            }
        });
    }

    [Fact]
    public void With_clear_on_return_no_content_outlives_its_object()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of200>(_system.Options(configure: options => options.ClearOnReturn = true));
        Sized.Of200* item = allocator.Allocate();
        new Span<byte>(item, sizeof(Sized.Of200)).Fill(9);
        allocator.Free(item);

        // A free object holds an address.
        Assert.Equal(-1, new Span<byte>(allocator.Allocate(), sizeof(Sized.Of200)).Slice(IntPtr.Size).IndexOfAnyExcept((byte)0));
    }

    [Fact]
    public void Two_allocators_share_a_pool()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        using (var nodes = new FixedBlockAllocator<Sized.Of32>(pool, checksFrees: false))
        using (var leaves = new FixedBlockAllocator<Sized.Of200>(pool, checksFrees: false))
        {
            nodes.Allocate();
            leaves.Allocate();
            StatisticsAssert.Blocks(pool, rented: 2, idle: 0);
            nodes.Clear();
            StatisticsAssert.Blocks(pool, rented: 1, idle: 1);
            Assert.Equal(1, leaves.Count);
        }

        StatisticsAssert.Blocks(pool, rented: 0, idle: 2);
        Assert.Equal(2, pool.MakeIdle(2).Length);
    }

    [Fact]
    public void Blocks_that_became_empty_are_trimmed_by_the_policy()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options(configure: options => options.TrimPolicy = TrimPolicy.Demand));
        Free(allocator, Allocate(allocator, 4 * s_perBlock));
        AssertBlocks(allocator, rented: 1, idle: 3);
        _system.Time.Advance(TimeSpan.FromMinutes(1));
        AssertBlocks(allocator, rented: 1, idle: 0);
        Assert.Equal(1, _system.Source.LivePieces);
    }

    internal static nint[] Allocate<T>(FixedBlockAllocator<T> allocator, int count)
        where T : unmanaged
    {
        nint[] items = new nint[count];
        for (int i = 0; i < count; i++)
        {
            items[i] = (nint)allocator.Allocate();
        }

        return items;
    }

    internal static void Free<T>(FixedBlockAllocator<T> allocator, IEnumerable<nint> items)
        where T : unmanaged
    {
        foreach (nint item in items)
        {
            allocator.Free((T*)item);
        }
    }

    internal static void AssertBlocks<T>(FixedBlockAllocator<T> allocator, int rented, int idle)
        where T : unmanaged
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((rented, idle), (statistics.RentedBytes / (double)TestSystem.BlockBytes, statistics.IdleBytes / (double)TestSystem.BlockBytes));
    }
}
