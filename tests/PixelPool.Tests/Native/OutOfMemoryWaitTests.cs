using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native;

/// <summary>A request that finds no memory waits for somebody to return some, and not for long.</summary>
public sealed class OutOfMemoryWaitTests : IDisposable
{
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);

    private readonly TestSystem _system = TestSystem.Alone();
    private readonly ManualResetEventSlim _waiting = new();

    public OutOfMemoryWaitTests()
    {
        _system.Time.FireNewTimersAtOnce = false;
        _system.Time.OnTimerCreated = _ => _waiting.Set();
    }

    public void Dispose()
    {
        _waiting.Dispose();
        _system.Dispose();
    }

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
        Assert.Equal((3, 1, 1), (_system.Source.Allocations, _system.Source.Failures, _system.Time.Waits));
        Assert.Equal(0, _system.Time.Timers);
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
        Assert.Equal((2, 1), (_system.Source.Allocations, _system.Time.Waits));
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
        Assert.Equal(1, _system.Time.Waits);
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
        Exception? thrown = null;
        Thread waiter = StartWaiting(() => thrown = Record.Exception(() => pool.TryRent(new nint[1])));
        for (int i = 1; i < OutOfMemoryRecovery.Attempts; i++)
        {
            Assert.True(_waiting.Wait(s_minute));
            Assert.Null(thrown);
            _waiting.Reset();
            _system.Time.Advance(TimeSpan.FromSeconds(1));
        }

        Join(waiter);
        Assert.IsType<OutOfMemoryException>(thrown);
        Assert.Equal((OutOfMemoryRecovery.Attempts, OutOfMemoryRecovery.Attempts - 1), (_system.Source.Attempts, _system.Time.Waits));
        Assert.Equal(0, _system.Time.Timers);
    }

    [Fact]
    public void All_waiting_requests_are_woken()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] held = pool.Rent(3);
        _system.Source.MaxLivePieces = 3;
        using var everyoneWaits = new CountdownEvent(3);
        _system.Time.OnTimerCreated = _ => everyoneWaits.Signal();
        Thread[] waiters = [.. Enumerable.Range(0, 3).Select(_ => new Thread(() => pool.Rent(1)))];
        Array.ForEach(waiters, static waiter => waiter.Start());
        Assert.True(everyoneWaits.Wait(s_minute));
        pool.Return(held);
        Array.ForEach(waiters, Join);
        StatisticsAssert.Blocks(pool, rented: 3, idle: 0);
        Assert.Equal(3, _system.Time.Waits);
    }

    private Thread StartWaiting(Action request)
    {
        var waiter = new Thread(() => request());
        waiter.Start();
        Assert.True(_waiting.Wait(s_minute));
        return waiter;
    }

    private static void Join(Thread thread) => Assert.True(thread.Join(s_minute));
}
