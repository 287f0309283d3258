using System.Diagnostics;
using Imaging.Memory;
using PixelPool.Measuring;
using PixelPool.Stress.Measuring;

namespace PixelPool.Stress.Bursts;

/// <summary>Bursts and pauses for one contender, in a process of its own.</summary>
internal sealed class BurstRun : IDisposable
{
    private readonly BurstPlan _plan;
    private readonly ImageMemory _memory;
    private readonly BurstWorker[] _workers;
    private readonly Barrier _barrier;
    private readonly long _start = Stopwatch.GetTimestamp();
    private long _burstEnd;

    private BurstRun(BurstJob job)
    {
        _plan = job.Plan;
        _memory = BurstContender.Named(job.Contender).Create();
        _workers = [.. Enumerable.Range(0, _plan.Workers).Select(number => new BurstWorker(_memory, _plan, number))];
        _barrier = new Barrier(_plan.Workers + 1);
    }

    public static FreshProcess<BurstJob, BurstResult> Process { get; } = new("burst-run", job =>
    {
        using var run = new BurstRun(job);
        return run.Execute();
    });

    public void Dispose()
    {
        _barrier.Dispose();
        _memory.Dispose();
    }

    private double Seconds => Stopwatch.GetElapsedTime(_start).TotalSeconds;

    private BurstResult Execute()
    {
        Thread[] threads = [.. _workers.Select(worker => new Thread(() => Work(worker)))];
        Array.ForEach(threads, thread => thread.Start());

        using var recorder = new BurstRecorder(_memory, _workers, () => Seconds);
        BurstRound[] rounds = [.. Enumerable.Range(0, _plan.Rounds).Select(_ => BurstAndPause())];
        IReadOnlyList<BurstSample> samples = recorder.Stop();
        Array.ForEach(threads, thread => thread.Join());

        var latencies = new LatencyHistogram();
        Array.ForEach(_workers, worker => latencies.Add(worker.Latencies));
        return new BurstResult(
            samples, rounds, latencies.Count, ResidentMemory.Peak(), latencies.Percentile(0.5), latencies.Percentile(0.99));
    }

    private BurstRound BurstAndPause()
    {
        double start = Seconds;
        _burstEnd = Stopwatch.GetTimestamp() + (long)(_plan.BurstSeconds * Stopwatch.Frequency);
        _barrier.SignalAndWait();
        _barrier.SignalAndWait();
        double returned = Seconds;
        Thread.Sleep(TimeSpan.FromSeconds(_plan.PauseSeconds));
        return new BurstRound(start, returned, Seconds);
    }

    private void Work(BurstWorker worker)
    {
        for (int round = 0; round < _plan.Rounds; round++)
        {
            _barrier.SignalAndWait();
            worker.Burst(_burstEnd);
            _barrier.SignalAndWait();
        }
    }
}
