using PixelPool.Diagnostics;
using PixelPool.Measuring;

namespace PixelPool.Stress.Waiting;

/// <summary>
/// Operations that hold memory while they ask for more, under a budget that has no room for all of them. None may wait forever: they succeed, or are
/// refused by name, and a true deadlock is reported as one. It says so, and fails if it is not so.
/// </summary>
internal static class WaitingScenario
{
    private static readonly TimeSpan s_longWait = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan s_refusalTimeout = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_deadlockTimeout = TimeSpan.FromSeconds(4);

    // Longer than any request waits before it is refused.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(90);

    /// <returns>The exit code: 0, or 1 when something stalled, was refused, or was not told.</returns>
    public static int Execute(WaitingPlan plan)
    {
        var table = new ReportTable("operations", "budget, MiB", "seed", "succeeded", "refused", "stalled", "s", "long waits", "deadlock", "");
        bool isAllAsExpected = true;
        for (int round = 0; round < plan.Rounds; round++)
        {
            int seed = plan.Seed + round;
            foreach (WaitingCase work in WaitingCase.Of(plan))
            {
                WaitingResult result = Run(work, seed);
                Console.WriteLine($"seed {seed}: {work.Name} under {Figures.Mebibytes(work.BudgetBytes)} MiB: {result.Succeeded} of {work.Operations}, {Figures.ThreeDigits(result.Seconds)} s");
                bool isAsExpected = result.Is(work);
                isAllAsExpected &= isAsExpected;
                table.Add(
                    work.Name,
                    Figures.Mebibytes(work.BudgetBytes),
                    $"{seed}",
                    $"{result.Succeeded} of {work.Operations}",
                    $"{result.Refused}",
                    $"{result.Stalled}",
                    Figures.ThreeDigits(result.Seconds),
                    $"{result.LongWaits}",
                    result.DeadlockReports == 0 ? "" : "reported",
                    isAsExpected ? "" : "NOT AS EXPECTED");
            }
        }

        Console.Write(table);
        return isAllAsExpected ? 0 : 1;
    }

    private static WaitingResult Run(WaitingCase work, int seed)
    {
        TimeSpan timeout = work.End switch
        {
            WaitingEnd.AllSucceed => s_timeout,
            WaitingEnd.RefusedByName => s_refusalTimeout,
            _ => s_deadlockTimeout,
        };
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            Name = work.Name,
            MaxRentedBytes = work.BudgetBytes,
            MaxPooledBytes = work.BudgetBytes,
            RentTimeout = timeout,
            AsyncRentTimeout = timeout,
            LongWaitThreshold = s_longWait,
        });
        int deadlockReports = 0;
        allocator.LongWait += (_, report) => Report(report, ref deadlockReports);
        var all = new SharedMeeting(work.Operations);
        long began = TimeProvider.System.GetTimestamp();
        Task[] operations = [.. Enumerable.Range(0, work.Operations).Select(i => Start(work, new WaitingOperation(allocator, new Random(unchecked((seed * 397) + i)), all)))];
        bool ended = Task.WhenAll(operations).ContinueWith(static _ => { }, TaskScheduler.Default).Wait(s_patience);
        double seconds = TimeProvider.System.GetElapsedTime(began).TotalSeconds;
        if (!ended)
        {
            PrintWaits(work, allocator);
        }

        PixelPoolStatistics statistics = allocator.GetStatistics();
        Task[] failed = Array.FindAll(operations, static operation => operation.IsFaulted);
        foreach (Task operation in failed.Where(operation => work.End == WaitingEnd.AllSucceed || operation.Exception!.InnerException is not PixelBudgetExceededException))
        {
            Console.Error.WriteLine(operation.Exception!.InnerException);
        }

        return new WaitingResult(
            operations.Count(static operation => operation.IsCompletedSuccessfully),
            failed.Count(static operation => operation.Exception!.InnerException is PixelBudgetExceededException),
            operations.Count(static operation => !operation.IsCompleted),
            seconds,
            statistics.LongWaits,
            Volatile.Read(ref deadlockReports),
            (statistics.RentedBytes, statistics.ChargedBytes, statistics.WaitingRents) == (0, 0, 0));
    }

    // All begin at the same time, on threads of the thread pool.
    private static Task Start(WaitingCase work, WaitingOperation operation) => Task.Run(() => work.Operation(operation));

    private static void Report(LongWaitEventArgs report, ref int deadlockReports)
    {
        if (report.IsDeadlock)
        {
            Interlocked.Increment(ref deadlockReports);
        }
    }

    private static void PrintWaits(WaitingCase work, PixelAllocator allocator)
    {
        Console.Error.WriteLine($"{work.Name}: {allocator.GetStatistics()}");
        foreach (WaitingRent wait in allocator.GetWaitingRents())
        {
            Console.Error.WriteLine(wait);
        }
    }
}
