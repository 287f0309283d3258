namespace PixelPool.Benchmarks.Peers;

/// <summary>Threads that live as long as a benchmark and do its rounds together.</summary>
internal sealed class Crew
{
    private const int SamplesPerThread = 50_000;

    private readonly Barrier _start;
    private readonly Barrier _end;
    private readonly int _threads;
    private Action<int>? _work;

    public Crew(int threads)
    {
        _threads = threads;
        _start = new Barrier(threads + 1);
        _end = new Barrier(threads + 1);
        for (int i = 0; i < threads; i++)
        {
            int number = i;
            new Thread(() => WorkUntilDismissed(number)) { IsBackground = true }.Start();
        }
    }

    /// <summary>Every thread does it once; returns when the last one has.</summary>
    public void Work(Action share) => WorkNumbered(_ => share());

    /// <summary>The 99th percentile of what all threads measured together, in nanoseconds.</summary>
    /// <param name="sample">Fills an array with times, in ticks of the clock.</param>
    public double Percentile99(Action<long[]> sample)
    {
        long[][] times = [.. Enumerable.Range(0, _threads).Select(_ => new long[SamplesPerThread])];
        WorkNumbered(number => sample(times[number]));
        long[] sorted = [.. times.SelectMany(each => each).Order()];
        return sorted[sorted.Length / 100 * 99] * 1e9 / TimeProvider.System.TimestampFrequency;
    }

    public void Dismiss()
    {
        _work = null;
        _start.SignalAndWait();
    }

    private void WorkNumbered(Action<int> work)
    {
        _work = work;
        _start.SignalAndWait();
        _end.SignalAndWait();
    }

    private void WorkUntilDismissed(int number)
    {
        while (true)
        {
            _start.SignalAndWait();
            if (_work is not { } work)
            {
                return;
            }

            work(number);
            _end.SignalAndWait();
        }
    }
}
