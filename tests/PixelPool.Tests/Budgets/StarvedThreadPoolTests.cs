using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>All threads of the thread pool are blocked in a request: each of them wakes itself.</summary>
public class StarvedThreadPoolTests
{
    private const int Threads = 4;
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
        Assert.True(ThreadPool.SetMinThreads(Threads, Threads) && ThreadPool.SetMaxThreads(Threads, Threads));
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
