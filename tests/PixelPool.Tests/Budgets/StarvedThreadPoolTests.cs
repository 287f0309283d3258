using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>All threads of the thread pool are blocked: in a request, which wakes itself, or elsewhere.</summary>
public class StarvedThreadPoolTests
{
    private const int Threads = StarvedThreadPool.Threads;
    private const int Block = TestSystem.BlockBytes;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    [Fact]
    public void Time_limits_of_rents_end_without_a_free_thread() => ChildProcess.Run(WaitForBudget);

    [Fact]
    public void Pause_after_the_system_refused_memory_ends_without_a_free_thread() => ChildProcess.Run(WaitForMemory);

    private static void WaitForBudget()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options =>
        {
            options.TimeProvider = TimeProvider.System;
            options.MaxRentedBytes = Block;
            options.RentTimeout = TimeSpan.FromMilliseconds(100);
        });
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        OnAllThreads(() => Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(Block, 1)));
        Assert.Equal((0, Threads), (allocator.GetStatistics().WaitingRents, allocator.GetStatistics().BudgetRefusals));
    }

    /// <summary>Granted, cancelled and out of time while no thread is free to go on with them.</summary>
    [Fact]
    public void Awaited_rents_end_as_soon_as_a_thread_is_free() => ChildProcess.Run(AwaitBudget);

    private static void AwaitBudget()
    {
        using var system = new TestSystem();
        var time = new ManualTime();
        using PixelAllocator allocator = system.CreateAllocator(configure: options =>
        {
            options.TimeProvider = time;
            options.MaxRentedBytes = Block;
            options.AsyncRentTimeout = TimeSpan.FromSeconds(1);
        });
        using var scope = new RentScope(allocator);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        using var cancellation = new CancellationTokenSource();
        Task<PixelBuffer<byte>>[] requests = [];
        StarvedThreadPool.WhileAllAreBlocked(() =>
        {
            requests =
            [
                allocator.RentAsync<byte>(Block, 1, cancellationToken: cancellation.Token).AsTask(),
                allocator.RentAsync<byte>(Block, 1).AsTask(),
                scope.RentAsync<byte>(Block, 1).AsTask(),
                allocator.RentAsync<byte>(Block, 1).AsTask(),
            ];
            cancellation.Cancel();
            held.Dispose();
            scope.Dispose();
            time.Advance(TimeSpan.FromSeconds(2));
            Assert.DoesNotContain(requests, static request => request.IsCompleted);
        });
        Assert.True(Task.WhenAll(requests).ContinueWith(static _ => { }).Wait(s_limit), "requests hang although threads are free");
        Assert.Equal(
            [typeof(TaskCanceledException), null, typeof(ObjectDisposedException), typeof(PixelBudgetExceededException)],
            requests.Select(static request => request.IsCanceled ? typeof(TaskCanceledException) : request.Exception?.InnerException?.GetType()));
        requests[1].Result.Dispose();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.WaitingRents));
    }

    /// <summary>What needs no thread of the pool goes on beside a request that was granted and needs one: a trim, a rent that blocks its own thread, one that finds room.</summary>
    [Fact]
    public void Trims_and_other_rents_do_not_wait_for_a_free_thread() => ChildProcess.Run(TrimBesideAwaited);

    private static void TrimBesideAwaited()
    {
        using var system = new TestSystem();
        var time = new ManualTime();
        using PixelAllocator allocator = system.CreateAllocator(configure: options =>
        {
            options.TimeProvider = time;
            options.TrimPolicy = TrimPolicy.Demand;
            options.MaxRentedBytes = 2 * Block;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        PixelBuffer<byte> first = allocator.Rent<byte>(Block, 1);
        PixelBuffer<byte> second = allocator.Rent<byte>(Block, 1);
        PixelBuffer<byte>? served = null;
        Task<PixelBuffer<byte>>? awaited = null;
        StarvedThreadPool.WhileAllAreBlocked(() =>
        {
            awaited = allocator.RentAsync<byte>(Block, 1).AsTask();
            var blocked = new Thread(() => served = allocator.Rent<byte>(Block, 1)) { IsBackground = true };
            blocked.Start();
            Assert.True(SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 2, s_limit));
            first.Dispose();
            Assert.False(awaited.IsCompleted);
            second.Dispose();
            Assert.True(blocked.Join(s_limit), "a rent that blocks its thread waits for the thread pool");
            served!.Dispose();
            time.Advance(TimeSpan.FromMinutes(2));
            PixelPoolStatistics trimmed = allocator.GetStatistics();
            Assert.Equal((0L, 0L), (trimmed.RentedBytes, trimmed.IdleBytes));
            Assert.InRange(trimmed.TrimmedByTimerBytes, Block, 2 * Block);
            Task<PixelBuffer<byte>> fitting = allocator.RentAsync<byte>(Block, 1).AsTask();
            Assert.True(fitting.IsCompletedSuccessfully);
            fitting.Result.Dispose();
            Assert.False(awaited.IsCompleted);
        });
        Assert.True(awaited!.Wait(s_limit), "a request hangs although threads are free");
        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);
        awaited.Result.Dispose();
        time.Advance(TimeSpan.FromMinutes(2));
        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((0L, 0L, 0L, 0L), (statistics.RentedBytes, statistics.IdleBytes, statistics.ChargedBytes, statistics.WaitingRents));
        system.Source.AssertAllFreed();
    }

    private static void WaitForMemory()
    {
        using var system = new TestSystem();
        PixelAllocatorOptions options = system.Options();
        options.TimeProvider = TimeProvider.System;
        options.Pause = new PixelAllocatorOptions().Pause;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        system.Source.FailAlways();
        OnAllThreads(() => Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(Block, 1)));
    }

    private static void OnAllThreads(Action request)
    {
        StarvedThreadPool.Limit();
        using var everybody = new CountdownEvent(Threads);
        Task[] requests = [.. Enumerable.Range(0, Threads).Select(_ => Task.Run(() =>
        {
            // None begins before the pool has no thread left.
            everybody.Signal();
            everybody.Wait();
            request();
        }))];
        Assert.True(Task.WaitAll(requests, s_limit), "requests hang in a thread pool without free threads");
    }
}
