using Imaging.Memory;
using PixelPool.Measuring;

namespace PixelPool.Stress.Bursts;

/// <summary>Looks at the memory of this process ten times a second, on a thread of its own: the workers keep every processor busy.</summary>
internal sealed class BurstRecorder : IDisposable
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(100);

    private readonly ImageMemory _memory;
    private readonly IReadOnlyList<BurstWorker> _workers;
    private readonly Func<double> _seconds;
    private readonly List<BurstSample> _samples = new(capacity: 4096);
    private readonly ManualResetEventSlim _stopped = new();
    private readonly Thread _thread;

    /// <param name="seconds">The time since the start.</param>
    public BurstRecorder(ImageMemory memory, IReadOnlyList<BurstWorker> workers, Func<double> seconds)
    {
        _memory = memory;
        _workers = workers;
        _seconds = seconds;
        _thread = new Thread(Record) { Priority = ThreadPriority.AboveNormal };
        _thread.Start();
    }

    public IReadOnlyList<BurstSample> Stop()
    {
        _stopped.Set();
        _thread.Join();
        return _samples;
    }

    public void Dispose() => _stopped.Dispose();

    private void Record()
    {
        do
        {
            _samples.Add(Sample());
        }
        while (!_stopped.Wait(s_period));
        _samples.Add(Sample());
    }

    private BurstSample Sample()
    {
        PixelPoolStatistics? pool = _memory.Statistics;
        return new BurstSample(
            _seconds(),
            ResidentMemory.Current(),
            pool?.RentedBytes ?? _workers.Sum(worker => worker.HeldBytes),
            pool?.IdleBytes ?? 0,
            GC.GetTotalMemory(forceFullCollection: false));
    }
}
