using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

public sealed class PoolDisposalTests : IDisposable
{
    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Idle_blocks_are_freed_at_once_and_rented_ones_when_they_return()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] rented = pool.Rent(3);
        pool.MakeIdle(4);
        pool.Dispose();
        Assert.Equal((3, 4), (_system.Source.LivePieces, _system.Source.Frees));
        StatisticsAssert.Blocks(pool, rented: 3, idle: 0);
        foreach (nint block in rented)
        {
            pool.Bytes(block).Fill(1);
        }

        pool.Return(rented.AsSpan(0, 2));
        StatisticsAssert.Blocks(pool, rented: 1, idle: 0);
        Assert.Equal(1, _system.Source.LivePieces);
        pool.Return(rented.AsSpan(2));
        StatisticsAssert.Blocks(pool, rented: 0, idle: 0);
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Second_dispose_does_nothing()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        pool.MakeIdle(2);
        pool.Dispose();
        PixelPoolStatistics after = pool.GetStatistics();
        pool.Dispose();
        Assert.Equal(after, pool.GetStatistics());
        Assert.Equal(2, _system.Source.Frees);
    }

    [Fact]
    public void Disposed_pool_rents_nothing()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        pool.MakeIdle(1);
        pool.Dispose();
        Assert.Throws<ObjectDisposedException>(() => pool.TryRent(new nint[1]));
        Assert.Throws<ObjectDisposedException>(() => pool.TryRent(new nint[1000]));
        Assert.Equal(1, _system.Source.Attempts);
    }

    [Fact]
    public void Disposed_pool_has_nothing_to_trim()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] rented = pool.Rent(1);
        pool.Dispose();
        Assert.Equal(0, pool.Trim());
        Assert.Equal(0, pool.TrimTo(0));
        pool.Return(rented);
        Assert.Equal(0, pool.Trim());
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Second_return_to_a_disposed_pool_throws()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] rented = pool.Rent(1);
        pool.Dispose();
        pool.Return(rented);
        Assert.Throws<InvalidMemoryOperationException>(() => pool.Return(rented));
        Assert.Equal(1, _system.Source.Frees);
    }

    [Fact]
    public void What_disposal_frees_is_not_counted_as_trimmed()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        pool.MakeIdle(5);
        pool.Dispose();
        Assert.Equal(0, pool.GetStatistics().TrimmedBytes);
        Assert.Equal(5 * TestSystem.BlockBytes, pool.GetStatistics().ReleasedBytes);
    }

    [Fact]
    public void Blocks_are_cleared_before_a_disposed_pool_frees_them()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool(configure: static options => options.ClearOnReturn = true);
        nint[] rented = pool.Rent(1);
        pool.Bytes(rented[0]).Fill(7);
        pool.Dispose();
        bool cleared = false;
        _system.Source.OnFree = _ => cleared = pool.Bytes(rented[0]).IndexOfAnyExcept((byte)0) < 0;
        pool.Return(rented);
        Assert.True(cleared);
    }

    [Fact]
    public void Disposal_in_the_middle_of_an_allocation_loses_nothing()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        pool.MakeIdle(2);
        _system.Source.OnAllocate = _ => pool.Dispose();
        nint[] blocks = pool.Rent(5);
        Assert.Equal(5, _system.Source.LivePieces);
        pool.Return(blocks);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 0);
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Disposal_in_the_middle_of_an_allocation_that_fails_loses_nothing()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        pool.MakeIdle(2);
        _system.Source.OnAllocate = _ => pool.Dispose();
        _system.Source.FailAlways();
        Assert.Throws<OutOfMemoryException>(() => pool.TryRent(new nint[5]));
        StatisticsAssert.Blocks(pool, rented: 0, idle: 0);
        _system.Source.AssertAllFreed();
    }

    [Fact]
    [Trait("Category", "Long")]
    public void Disposal_beside_renting_threads_loses_nothing()
    {
        for (int round = 0; round < 50; round++)
        {
            UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 16);
            using var start = new Barrier(4);
            Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, worker =>
            {
                start.SignalAndWait();
                if (worker == 0)
                {
                    pool.Dispose();
                    return;
                }

                try
                {
                    for (int i = 0; i < 50; i++)
                    {
                        nint[] blocks = new nint[1 + (i % 3)];
                        if (pool.TryRent(blocks))
                        {
                            pool.Return(blocks);
                        }
                    }
                }
                catch (ObjectDisposedException)
                {
                    // from here on nothing can be rented
                }
            });
            StatisticsAssert.Blocks(pool, rented: 0, idle: 0);
            _system.Source.AssertAllFreed();
        }
    }

    [Fact]
    public void Pool_that_is_dropped_without_dispose_frees_its_idle_blocks()
    {
        WeakReference dropped = Drop(_system);
        Collect();
        Assert.False(dropped.IsAlive);
        Assert.Equal(6, _system.Source.Allocations);
        _system.Source.AssertAllFreed();
        Assert.Equal(0, _system.Time.Timers);
    }

    [Fact]
    public void Pool_whose_constructor_failed_is_finalized_quietly()
    {
        FailToCreate(_system);
        Collect();
        Assert.Equal(0, _system.Source.Attempts);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Drop(TestSystem system)
    {
        UniformUnmanagedMemoryPool pool = system.CreatePool(TrimPolicy.Demand);
        pool.MakeIdle(6);
        Assert.Equal(1, system.Time.ActiveTimers);
        return new WeakReference(pool);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void FailToCreate(TestSystem system)
    {
        system.Pressure.Failure = new TimeZoneNotFoundException();
        Assert.Throws<TimeZoneNotFoundException>(() => system.CreatePool(configure: static options => options.MaxPooledBytes = null));
        Assert.Throws<ArgumentOutOfRangeException>(() => system.CreatePool(configure: static options => options.BlockBytes = 3));
    }

    private static void Collect()
    {
        for (int i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }
}
