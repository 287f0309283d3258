using System.Collections.Concurrent;
using System.Diagnostics;

namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>A thread that lives as long as the process: what pools keep for it stays there from round to round.</summary>
internal sealed class SideBySideThread
{
    private readonly BlockingCollection<(UntouchedBatch Batch, StopSignal Stop, TaskCompletionSource<double> Nanoseconds)> _asked = [];

    public SideBySideThread() => new Thread(Work) { IsBackground = true }.Start();

    /// <returns>Nanoseconds of one rent and its return, once it has been stopped.</returns>
    public Task<double> Run(UntouchedBatch batch, StopSignal stop)
    {
        var nanoseconds = new TaskCompletionSource<double>();
        _asked.Add((batch, stop, nanoseconds));
        return nanoseconds.Task;
    }

    private void Work()
    {
        foreach ((UntouchedBatch batch, StopSignal stop, TaskCompletionSource<double> nanoseconds) in _asked.GetConsumingEnumerable())
        {
            long rents = 0;
            long start = Stopwatch.GetTimestamp();
            while (!stop.IsSet)
            {
                batch.Run();
                rents += UntouchedBatch.Rents;
            }

            nanoseconds.SetResult(Stopwatch.GetElapsedTime(start).TotalNanoseconds / rents);
        }
    }
}
