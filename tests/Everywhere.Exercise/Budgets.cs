using System.Buffers;
using PixelPool.Diagnostics;

namespace Everywhere.Exercise;

/// <summary>Bytes that may be held, and who waits for them.</summary>
internal static class Budgets
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    public static void RefuseWhatDoesNotFit()
    {
        using PixelAllocator allocator = Create();
        using PixelBuffer<uint> image = allocator.Rent<uint>(1000, 1000);
        PixelBudgetExceededException refusal = Checks.Throws<PixelBudgetExceededException>(() => allocator.Rent<uint>(1000, 2000).Dispose());
        Checks.Equal((8L << 20, 8L << 20, null), (refusal.RequestedBytes, refusal.LimitBytes, refusal.Waited));
        Checks.Contains("budget", refusal.Budget);
        Checks.Equal(false, allocator.TryRent<uint>(1000, 2000, out _));
        Checks.Equal(false, allocator.TryLease<uint>(1000, 2000, out _));
        Checks.Equal(false, allocator.TryAllocate(2_000_000, out IMemoryOwner<uint>? _));
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Checks.Equal((8L << 20, 4L << 20), (statistics.BudgetBytes!.Value, statistics.ChargedBytes));
        Checks.True(statistics.BudgetRefusals == 4, statistics.ToString());
    }

    public static void LetInWhoWaits()
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<uint> image = allocator.Rent<uint>(1000, 2000);
        using var told = new ManualResetEventSlim();
        LongWaitEventArgs? wait = null;
        allocator.LongWait += Told;
        Task<PixelBuffer<uint>> request = allocator.RentAsync<uint>(1000, 1000).AsTask();
        Checks.Equal((false, 1L), (request.IsCompleted, allocator.GetStatistics().WaitingRents));
        WaitingRent waiting = allocator.GetWaitingRents().Single();
        Checks.Equal((4L << 20, null), (waiting.Bytes, waiting.Tag));
        Checks.True(waiting.Waited >= TimeSpan.Zero && waiting.Budget.Length > 0, waiting.ToString());
        Checks.Contains(nameof(LetInWhoWaits), waiting.Place);
        Checks.True(waiting.Stack is not null && waiting.StackText is not null, waiting.ToString());
        Checks.True(told.Wait(s_timeLimit), "nobody was told of a long wait");
        Checks.Equal((4L << 20, 1, 1, false), (wait!.Wait.Bytes, wait.Waiting.Count, wait.Held.Count, wait.IsDeadlock));
        allocator.LongWait -= Told;
        image.Dispose();
        Checks.True(request.Wait(s_timeLimit), "the request was not let in");
        request.Result.Dispose();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Checks.True(statistics is { Waits: 1, LongWaits: >= 1, WaitingRents: 0 } && statistics.WaitTime > TimeSpan.Zero, statistics.ToString());
        Checks.NothingIsLeft(allocator);

        void Told(object? sender, LongWaitEventArgs e)
        {
            wait = e;
            told.Set();
        }
    }

    public static void WakeThreads()
    {
        using PixelAllocator allocator = Create(TimeSpan.FromMinutes(1));
        PixelBuffer<uint> image = allocator.Rent<uint>(1000, 2000);
        var thread = new Thread(() => allocator.Rent<uint>(1000, 1000).Dispose());
        thread.Start();
        Checks.True(SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, s_timeLimit), "the thread does not wait");
        image.Dispose();
        Checks.True(thread.Join(s_timeLimit), "the thread was not woken");
        Checks.NothingIsLeft(allocator);
    }

    public static void EndWaits()
    {
        using PixelAllocator allocator = Create(TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(50));
        using PixelBuffer<uint> image = allocator.Rent<uint>(1000, 2000);
        PixelBudgetExceededException late = Checks.Throws<PixelBudgetExceededException>(() => allocator.Rent<uint>(1000, 1000).Dispose());
        Checks.True(late.Waited > TimeSpan.Zero, "it did not wait");
        Checks.Throws<PixelBudgetExceededException>(() => allocator.RentAsync<uint>(1000, 1000).AsTask().GetAwaiter().GetResult().Dispose());
        using PixelAllocator patient = Create();
        using PixelBuffer<uint> all = patient.Rent<uint>(1000, 2000);
        using var cancellation = new CancellationTokenSource();
        Task<PixelBuffer<uint>> request = patient.RentAsync<uint>(1000, 1000, cancellationToken: cancellation.Token).AsTask();
        cancellation.Cancel();
        Checks.True(Checks.Throws<AggregateException>(() => request.Wait(s_timeLimit)).InnerException is OperationCanceledException, "it was not cancelled");
        Checks.Equal((0L, 0L), (allocator.GetStatistics().WaitingRents, patient.GetStatistics().WaitingRents));
    }

    public static void InterruptsEndWaitsOnly()
    {
        using PixelAllocator allocator = Create(TimeSpan.FromMinutes(1));
        PixelBuffer<uint> image = allocator.Rent<uint>(1000, 2000);
        Exception? thrown = null;
        var thread = new Thread(() =>
        {
            try
            {
                allocator.Rent<uint>(1000, 1000).Dispose();
            }
            catch (ThreadInterruptedException e)
            {
                thrown = e;
            }
        });
        thread.Start();
        Checks.True(SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, s_timeLimit), "the thread does not wait");
        thread.Interrupt();
        Checks.True(thread.Join(s_timeLimit) && thrown is not null, "the wait went on");
        InterruptReturns(allocator, image);
        Checks.NothingIsLeft(allocator);
    }

    // The interrupt is there before the rent and the return, and after them.
    private static void InterruptReturns(PixelAllocator allocator, PixelBuffer<uint> image)
    {
        bool isKept = false;
        var thread = new Thread(() =>
        {
            Thread.CurrentThread.Interrupt();
            image.Dispose();
            for (int i = 0; i < 100; i++)
            {
                allocator.Rent<uint>(1000, 1000).Dispose();
            }

            try
            {
                new object().Wait();
            }
            catch (ThreadInterruptedException)
            {
                isKept = true;
            }
        });
        thread.Start();
        Checks.True(thread.Join(s_timeLimit) && isKept, "the interrupt was lost");
    }

    private static void Wait(this object monitor)
    {
        lock (monitor)
        {
            Monitor.Wait(monitor, s_timeLimit);
        }
    }

    private static PixelAllocator Create(TimeSpan timeout = default, TimeSpan? asyncTimeout = null) => PixelAllocator.Create(new PixelAllocatorOptions
    {
        MaxRentedBytes = 8 << 20,
        RentTimeout = timeout,
        AsyncRentTimeout = asyncTimeout,
        LeakTracking = LeakTracking.Full,
        LongWaitThreshold = TimeSpan.FromMilliseconds(100),
    });
}
