using System.Runtime.InteropServices;
using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

public sealed class PoolRentingTests : IDisposable
{
    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void New_pool_takes_nothing_from_the_system()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        Assert.Equal(0, _system.Source.Attempts);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 0);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(7)]
    [InlineData(64)]
    public void Round_trip_keeps_blocks_for_the_next_rent(int count)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] first = pool.Rent(count);
        StatisticsAssert.Blocks(pool, rented: count, idle: 0);
        pool.Return(first);
        StatisticsAssert.Blocks(pool, rented: 0, idle: count);
        nint[] second = pool.Rent(count);
        StatisticsAssert.Blocks(pool, rented: count, idle: 0);
        Assert.Equal(first.Order(), second.Order());
        Assert.Equal(count, _system.Source.Allocations);
        pool.Return(second);
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(pool, rented: 0, idle: count);
        Assert.Equal((2, 1, 1), (statistics.Rents, statistics.Hits, statistics.Misses));
    }

    [Fact]
    public void Blocks_are_distinct_aligned_and_do_not_overlap()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] blocks = [.. pool.Rent(40), .. pool.Rent(1), .. pool.Rent(23)];
        Assert.Equal(64, blocks.Distinct().Count());
        Assert.All(blocks, static block => Assert.Equal(0, block % BlockSource.AlignmentBytes));
        for (int i = 0; i < blocks.Length; i++)
        {
            pool.Bytes(blocks[i]).Fill((byte)(i + 1));
        }

        for (int i = 0; i < blocks.Length; i++)
        {
            Assert.Equal(-1, pool.Bytes(blocks[i]).IndexOfAnyExcept((byte)(i + 1)));
        }

        pool.Return(blocks);
    }

    [Fact]
    public void Last_returned_is_rented_first()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] blocks = pool.Rent(8);
        pool.Return(blocks);
        nint[] top = pool.Rent(3);
        Assert.Equal(blocks[5..].Order(), top.Order());
        pool.Return(top);
        Assert.Equal([top[2]], pool.Rent(1));
    }

    [Fact]
    public void Blocks_may_be_returned_in_another_order_and_grouping()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] first = pool.Rent(5);
        nint[] second = pool.Rent(4);
        nint[] mixed = [.. first.Zip(second, static (a, b) => new[] { b, a }).SelectMany(static pair => pair)];
        pool.Return(mixed.AsSpan(0, 3));
        StatisticsAssert.Blocks(pool, rented: 6, idle: 3);
        pool.Return(mixed.AsSpan(3));
        StatisticsAssert.Blocks(pool, rented: 1, idle: 8);
        pool.Return(first.AsSpan(4));
        StatisticsAssert.Blocks(pool, rented: 0, idle: 9);
        Assert.Equal(9, pool.Rent(9).Distinct().Count());
        Assert.Equal(9, _system.Source.Allocations);
    }

    [Fact]
    public void Blocks_may_be_returned_by_another_thread_and_are_found_again()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] blocks = pool.Rent(16);
        var threads = new List<Thread>();
        foreach (nint[] part in blocks.Chunk(4))
        {
            var thread = new Thread(() => pool.Return(part));
            thread.Start();
            threads.Add(thread);
        }

        Assert.All(threads, static thread => Assert.True(thread.Join(TimeSpan.FromMinutes(1))));
        StatisticsAssert.Blocks(pool, rented: 0, idle: 16);
        Assert.Equal(blocks.Order(), pool.Rent(16).Order());
        Assert.Equal(16, _system.Source.Allocations);
    }

    [Theory]
    [InlineData(0, 5)]
    [InlineData(1, 4)]
    [InlineData(3, 2)]
    [InlineData(4, 1)]
    public void Request_over_the_capacity_takes_nothing(int held, int asked)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 4);
        nint[] blocks = pool.Rent(held);
        PixelPoolStatistics before = pool.GetStatistics();
        nint[] none = new nint[asked];
        Assert.False(pool.TryRent(none));
        Assert.Equal(before, pool.GetStatistics());
        Assert.Equal(held, _system.Source.LivePieces);
        pool.Return(blocks);
        Assert.Equal(4, pool.Rent(4).Distinct().Count());
    }

    [Fact]
    public void Request_that_idle_and_free_capacity_can_not_serve_leaves_the_idle_blocks_idle()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 6);
        nint[] rented = pool.Rent(2);
        pool.MakeIdle(2);
        PixelPoolStatistics before = StatisticsAssert.Blocks(pool, rented: 2, idle: 2);
        Assert.False(pool.TryRent(new nint[5]));
        Assert.Equal(before, pool.GetStatistics());
        Assert.Equal(4, pool.Rent(4).Except(rented).Count());
        StatisticsAssert.Blocks(pool, rented: 6, idle: 0);
    }

    [Fact]
    public void Failed_request_for_more_than_was_idle_keeps_no_capacity()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 3);
        for (int i = 0; i < 100; i++)
        {
            Assert.False(pool.TryRent(new nint[4]));
            pool.Return(pool.Rent(3));
        }

        Assert.Equal(3, _system.Source.Allocations);
    }

    [Fact]
    public void Empty_request_succeeds_and_takes_nothing()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        Assert.True(pool.TryRent([]));
        pool.Return([]);
        Assert.Equal(0, _system.Source.Attempts);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 0);
    }

    [Fact]
    public void Huge_pages_are_asked_for_unless_switched_off()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        pool.Rent(1);
        Assert.True(_system.Source.AskedForHugePages);
        using UniformUnmanagedMemoryPool plain = _system.CreatePool(configure: static options => options.UseHugePages = false);
        plain.Rent(1);
        Assert.False(_system.Source.AskedForHugePages);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Returned_blocks_are_cleared_only_when_asked(bool clear)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(configure: options => options.ClearOnReturn = clear);
        nint[] blocks = pool.Rent(3);
        foreach (nint block in blocks)
        {
            pool.Bytes(block).Fill(0xEE);
        }

        pool.Return(blocks);
        byte expected = clear ? (byte)0 : (byte)0xEE;
        foreach (nint block in pool.Rent(3))
        {
            Assert.Equal(-1, pool.Bytes(block).IndexOfAnyExcept(expected));
        }
    }

    [Fact]
    public void Pools_do_not_share_blocks()
    {
        using UniformUnmanagedMemoryPool one = _system.CreatePool();
        using UniformUnmanagedMemoryPool other = _system.CreatePool();
        nint[] blocks = one.MakeIdle(4);
        Assert.Empty(other.Rent(4).Intersect(blocks));
        StatisticsAssert.Blocks(one, rented: 0, idle: 4);
        StatisticsAssert.Blocks(other, rented: 4, idle: 0);
    }

    [Fact]
    public void Pool_without_options_uses_the_real_system()
    {
        using var pool = new UniformUnmanagedMemoryPool();
        Assert.Equal(4 << 20, pool.BlockBytes);
        nint[] blocks = pool.Rent(2);
        foreach (nint block in blocks)
        {
            MemoryMarshal.GetReference(pool.Bytes(block)) = 1;
            pool.Bytes(block)[^1] = 2;
        }

        pool.Return(blocks);
        Assert.Equal(8 << 20, pool.Trim());
        StatisticsAssert.Blocks(pool, rented: 0, idle: 0);
    }
}
