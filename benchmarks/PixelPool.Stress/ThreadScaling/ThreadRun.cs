using System.Diagnostics;
using PixelPool.Measuring;
using PixelPool.Stress.Measuring;
using PixelPool.Stress.ThreadScaling.Renting;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>One contender and one workload, in a process of their own, with more and more threads.</summary>
internal static class ThreadRun
{
    /// <summary>
    /// Code gets its final form in the background, after pauses without new code: many short rounds, not one long one. What one thread has warmed up,
    /// several need less often.
    /// </summary>
    private const int WarmUpRounds = 16;
    private static readonly TimeSpan s_warmUpRound = TimeSpan.FromMilliseconds(40);
    private static readonly TimeSpan s_warmUpPause = TimeSpan.FromMilliseconds(60);

    public static FreshProcess<ThreadJob, ThreadPoint[]> Process { get; } =
        new("thread-run", job => RentContender.Named(job.ContenderName).Run(job));

    public static ThreadPoint[] Execute<TRenter>(TRenter renter, ThreadJob job)
        where TRenter : struct, IRenter
    {
        return [.. job.Threads.Select(threads =>
        {
            WarmUp(renter, threads);
            return Measure(renter, threads, TimeSpan.FromSeconds(job.Seconds));
        })];
    }

    private static void WarmUp<TRenter>(TRenter renter, int threads)
        where TRenter : struct, IRenter
    {
        for (int round = 0; round < WarmUpRounds / threads; round++)
        {
            Measure(renter, threads, s_warmUpRound);
            Thread.Sleep(s_warmUpPause);
        }
    }

    private static ThreadPoint Measure<TRenter>(TRenter renter, int threads, TimeSpan duration)
        where TRenter : struct, IRenter
    {
        using var barrier = new Barrier(threads + 1);
        var stop = new StopSignal();
        RentLoop<TRenter>[] loops = [.. Enumerable.Range(0, threads).Select(_ => new RentLoop<TRenter>(renter))];
        Thread[] workers = [.. loops.Select(loop => new Thread(() =>
        {
            barrier.SignalAndWait();
            loop.RunUntil(stop);
        }))];
        Array.ForEach(workers, worker => worker.Start());

        barrier.SignalAndWait();
        long start = Stopwatch.GetTimestamp();
        Thread.Sleep(duration);
        stop.Set();
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        Array.ForEach(workers, worker => worker.Join());

        var latencies = new LatencyHistogram();
        Array.ForEach(loops, loop => latencies.Add(loop.Latencies));
        return new ThreadPoint(
            threads,
            loops.Sum(loop => loop.Rents) / seconds,
            latencies.Percentile(0.5),
            latencies.Percentile(0.99),
            latencies.Percentile(0.999));
    }
}
