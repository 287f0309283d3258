using System.Diagnostics;
using PixelPool.Measuring;
using PixelPool.Stress.Measuring;

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

    public static ThreadPoint[] Execute<TRent>(TRent rent, ThreadJob job)
        where TRent : struct, IUntouchedRent
    {
        return [.. job.Threads.Select(threads =>
        {
            WarmUp(rent, threads);
            return Measure(rent, threads, TimeSpan.FromSeconds(job.Seconds));
        })];
    }

    private static void WarmUp<TRent>(TRent rent, int threads)
        where TRent : struct, IUntouchedRent
    {
        for (int round = 0; round < WarmUpRounds / threads; round++)
        {
            Measure(rent, threads, s_warmUpRound);
            Thread.Sleep(s_warmUpPause);
        }
    }

    private static ThreadPoint Measure<TRent>(TRent rent, int threads, TimeSpan duration)
        where TRent : struct, IUntouchedRent
    {
        using var barrier = new Barrier(threads + 1);
        var stop = new StopSignal();
        RentLoop<TRent>[] loops = [.. Enumerable.Range(0, threads).Select(_ => new RentLoop<TRent>(rent))];
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
