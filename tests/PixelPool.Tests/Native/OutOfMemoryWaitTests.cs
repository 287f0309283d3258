using PixelPool.Native;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native;

/// <summary>A request that finds no memory waits for somebody to return some, and not for long.</summary>
public sealed class OutOfMemoryWaitTests : IDisposable
{
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);

    private readonly TestSystem _system = TestSystem.Alone();

    // As the real pause, but long: a test that hangs is one that fails.
    public OutOfMemoryWaitTests() => _system.OnPause = static _ => ReturnSignal.Wait(s_minute);

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Block_that_another_thread_returns_during_the_wait_is_used()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] held = pool.Rent(3);
        _system.Source.MaxLivePieces = 3;
        nint[] got = new nint[2];
        Thread waiter = StartWaiting(() => pool.TryRent(got));
        pool.Return(held.AsSpan(0, 2));
        Join(waiter);
        Assert.Equal(held[..2].Order(), got.Order());
        Assert.Equal((3, 1, 1), (_system.Source.Allocations, _system.Source.Failures, _system.Pauses));
        StatisticsAssert.Blocks(pool, rented: 3, idle: 0);
    }

    [Fact]
    public void Block_that_another_pool_gets_back_during_the_wait_is_given_to_the_system_and_used()
    {
        using UniformUnmanagedMemoryPool other = _system.CreatePool();
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] held = other.Rent(1);
        _system.Source.MaxLivePieces = 1;
        nint[] got = new nint[1];
        Thread waiter = StartWaiting(() => pool.TryRent(got));
        other.Return(held);
        Join(waiter);
        StatisticsAssert.Blocks(pool, rented: 1, idle: 0);
        Assert.Equal(TestSystem.BlockBytes, other.GetStatistics().TrimmedByOutOfMemoryBytes);
        Assert.Equal((2, 1), (_system.Source.Allocations, _system.Pauses));
    }

    [Fact]
    public void Unpooled_image_that_another_thread_disposes_during_the_wait_makes_room()
    {
        using PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: 0);
        PixelBuffer<byte> held = allocator.Rent<byte>(TestSystem.BlockBytes, 3);
        _system.Source.MaxLiveBytes = 3 * TestSystem.BlockBytes;
        PixelBuffer<byte>? got = null;
        Thread waiter = StartWaiting(() => got = allocator.Rent<byte>(TestSystem.BlockBytes, 2));
        held.Dispose();
        Join(waiter);
        got!.Dispose();
        Assert.Equal(1, _system.Pauses);
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Return_to_a_disposed_pool_wakes_too()
    {
        UniformUnmanagedMemoryPool disposed = _system.CreatePool();
        nint[] held = disposed.Rent(1);
        disposed.Dispose();
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        _system.Source.MaxLivePieces = 1;
        Thread waiter = StartWaiting(() => pool.Rent(1));
        disposed.Return(held);
        Join(waiter);
        StatisticsAssert.Blocks(pool, rented: 1, idle: 0);
    }

    [Fact]
    public void Request_gives_up_when_the_time_is_over_and_nothing_came()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        _system.Source.FailAlways();
        var pauses = new List<TimeSpan>();
        _system.OnPause = pauses.Add;
        Assert.Throws<OutOfMemoryException>(() => pool.TryRent(new nint[1]));
        Assert.Equal((OutOfMemoryRecovery.Attempts, OutOfMemoryRecovery.Attempts - 1), (_system.Source.Attempts, _system.Pauses));
        Assert.All(pauses, static pause => Assert.Equal(50, pause.TotalMilliseconds));
    }

    /// <summary>Also on a clock that stands still: the pause is no time of the application's.</summary>
    [Fact]
    public void The_real_pause_ends_by_itself()
    {
        ReturnSignal.Wait(TimeSpan.FromMilliseconds(5));
        Assert.Equal(0, ReturnSignal.Waiters);
    }

    [Fact]
    public void An_interrupted_request_is_no_waiter_any_more_and_takes_nothing()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] held = pool.Rent(2);
        _system.Source.MaxLivePieces = 2;
        Exception? thrown = null;
        Thread waiter = StartWaiting(() => thrown = Record.Exception(() => pool.TryRent(new nint[1])));
        waiter.Interrupt();
        Join(waiter);
        Assert.IsType<ThreadInterruptedException>(thrown);
        Assert.Equal(0, ReturnSignal.Waiters);
        pool.Return(held);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 2);
    }

    [Fact]
    public void All_waiting_requests_are_woken()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] held = pool.Rent(3);
        _system.Source.MaxLivePieces = 3;
        Thread[] waiters = [.. Enumerable.Range(0, 3).Select(_ => new Thread(() => pool.Rent(1)))];
        Array.ForEach(waiters, static waiter => waiter.Start());
        AwaitWaiters(3);
        pool.Return(held);
        Array.ForEach(waiters, Join);
        StatisticsAssert.Blocks(pool, rented: 3, idle: 0);
        Assert.Equal(3, _system.Pauses);
    }

    private static Thread StartWaiting(Action request)
    {
        var waiter = new Thread(() => request());
        waiter.Start();
        AwaitWaiters(1);
        return waiter;
    }

    // Only here does anything of this process really wait for memory.
    private static void AwaitWaiters(int count) => Assert.True(SpinWait.SpinUntil(() => ReturnSignal.Waiters == count, s_minute));

    private static void Join(Thread thread) => Assert.True(thread.Join(s_minute));
}
