using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Trimming;

/// <summary>Collections of generation 2 trim, and dead pools are neither kept alive nor touched.</summary>
public sealed class Gen2TrimTests : IDisposable
{
    private const long Block = TestSystem.BlockBytes;

    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(2);

    private readonly TestSystem _system = new() { ListensToCollections = true };

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Collection_trims_when_timers_do_not_come()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Halving(s_period, 0.5));
        pool.MakeIdle(8);
        _system.Time.TimersAreStuck = true;
        Collect();
        StatisticsAssert.Blocks(pool, rented: 0, idle: 8);
        _system.Time.Advance(s_period);
        Collect();
        Assert.Equal(4 * Block, StatisticsAssert.Blocks(pool, rented: 0, idle: 4).TrimmedByGen2Bytes);
        Collect();
        StatisticsAssert.Blocks(pool, rented: 0, idle: 4);
        _system.Time.Advance(s_period);
        Collect();
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(pool, rented: 0, idle: 2);
        Assert.Equal((6 * Block, 6 * Block), (statistics.TrimmedByGen2Bytes, statistics.TrimmedBytes));
    }

    [Fact]
    public void Collections_alone_give_everything_back_in_a_minute()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        pool.MakeIdle(8);
        _system.Time.TimersAreStuck = true;
        _system.Time.Advance(TimeSpan.FromMinutes(1), TimeSpan.FromSeconds(5), Collect);
        Assert.Equal(8 * Block, StatisticsAssert.Blocks(pool, rented: 0, idle: 0).TrimmedByGen2Bytes);
    }

    [Fact]
    public void Collection_after_the_timer_did_the_work_does_nothing()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Halving(s_period, 0.5));
        pool.MakeIdle(8);
        _system.Time.Advance(s_period);
        Collect();
        Collect();
        Assert.Equal(4 * Block, StatisticsAssert.Blocks(pool, rented: 0, idle: 4).TrimmedBytes);
    }

    [Fact]
    public void Pressure_empties_the_pool_at_the_next_collection()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        nint[] rented = pool.Rent(2);
        pool.MakeIdle(8);
        _system.Pressure.High = true;
        Collect();
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(pool, rented: 2, idle: 0);
        Assert.Equal((8 * Block, 8 * Block), (statistics.TrimmedByPressureBytes, statistics.TrimmedBytes));
        pool.Return(rented);
    }

    [Fact]
    public void Pressure_source_that_throws_on_the_finalizer_thread_does_no_harm()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        pool.MakeIdle(2);
        _system.Pressure.Failure = new InvalidOperationException();
        Collect();
        Assert.True(_system.Pressure.Questions > 0);
        _system.Pressure.Failure = null;
        _system.Pressure.High = true;
        Collect();
        StatisticsAssert.Blocks(pool, rented: 0, idle: 0);
    }

    [Fact]
    public void Collection_asks_nothing_while_nothing_is_idle()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        nint[] rented = pool.Rent(1);
        Collect();
        Assert.Equal(0, _system.Pressure.Questions);
        pool.Return(rented);
        Collect();
        Assert.True(_system.Pressure.Questions > 0);
    }

    [Fact]
    public void Disposed_pool_is_left_alone()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool(TrimPolicy.Demand);
        pool.MakeIdle(1);
        pool.Dispose();
        _system.Pressure.High = true;
        Collect();
        Collect();
        Assert.Equal(0, _system.Pressure.Questions);
        GC.KeepAlive(pool);
    }

    [Fact]
    public void Dead_pool_is_not_kept_alive_by_its_timer_and_frees_its_memory()
    {
        using UniformUnmanagedMemoryPool living = _system.CreatePool(TrimPolicy.Demand);
        living.MakeIdle(1);
        WeakReference[] dead = [.. Enumerable.Range(0, 5).Select(_ => CreateAndDrop(_system, 3))];
        Assert.Equal((16, 6), (_system.Source.LivePieces, _system.Time.ActiveTimers));
        Collect();
        Assert.All(dead, static pool => Assert.False(pool.IsAlive));
        Assert.Equal((1, 1), (_system.Source.LivePieces, _system.Time.Timers));
        _system.Time.Advance(TimeSpan.FromMinutes(1));
        StatisticsAssert.Blocks(living, rented: 0, idle: 0);
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Request_that_finds_no_memory_skips_dead_pools()
    {
        CreateAndDrop(_system, 3);
        Collect();
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        _system.Source.FailNext();
        pool.Rent(1);
        Assert.Equal(1, _system.Source.LivePieces);
    }

    [Fact]
    public void Dropped_allocator_with_a_rented_image_stays_until_the_image_is_gone()
    {
        var images = new Stack<PixelBuffer<byte>>();
        CreateAndDropAllocator(_system, images);
        Collect();
        Assert.Equal(4, _system.Source.LivePieces);
        UseAndDispose(images);
        Assert.Equal(4, _system.Source.LivePieces);
        Collect();
        _system.Source.AssertAllFreed();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference CreateAndDrop(TestSystem system, int blocks)
    {
        UniformUnmanagedMemoryPool pool = system.CreatePool(TrimPolicy.Demand);
        pool.MakeIdle(blocks);
        return new WeakReference(pool);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CreateAndDropAllocator(TestSystem system, Stack<PixelBuffer<byte>> images)
    {
        PixelAllocator allocator = system.CreateAllocator(configure: static options => options.TrimPolicy = TrimPolicy.Demand);
        PixelBuffer<byte> idle = allocator.Rent<byte>(TestSystem.BlockBytes, 2);
        images.Push(allocator.Rent<byte>(TestSystem.BlockBytes, 2));
        idle.Dispose();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void UseAndDispose(Stack<PixelBuffer<byte>> images)
    {
        PixelBuffer<byte> image = images.Pop();
        image.Fill(9);
        Assert.Equal(9, image[0, 1]);
        image.Dispose();
    }

    private static void Collect()
    {
        for (int i = 0; i < 3; i++)
        {
            GC.Collect(2, GCCollectionMode.Forced, blocking: true);
            GC.WaitForPendingFinalizers();
        }
    }
}
