using LoadResizeSave.Memory;
using PixelPool;

namespace LoadResizeSave.Reporting;

/// <summary>Looks at the memory every few milliseconds. A run may last hours: old samples get sparser, not more.</summary>
internal sealed class MemoryRecorder : IDisposable
{
    private const int MaxSamples = 2048;

    private readonly Lock _lock = new();
    private readonly ImageMemory _memory;
    private readonly TimeProvider _time;
    private readonly long _start;
    private readonly ITimer _timer;
    private readonly List<MemorySample> _samples = new(MaxSamples);
    private readonly List<Moment> _moments = [];
    private TimeSpan _period = TimeSpan.FromMilliseconds(20);

    public MemoryRecorder(ImageMemory memory, TimeProvider time)
    {
        _memory = memory;
        _time = time;
        _start = time.GetTimestamp();
        _timer = time.CreateTimer(static recorder => ((MemoryRecorder)recorder!).Sample(), this, TimeSpan.Zero, _period);
    }

    /// <summary>Notes that something happened now, and returns how long after the start.</summary>
    public TimeSpan Mark(string name)
    {
        TimeSpan now = _time.GetElapsedTime(_start);
        _moments.Add(new Moment(name, now, ResidentMemory.Current()));
        return now;
    }

    public MemoryHistory Stop()
    {
        _timer.Dispose();
        Sample();
        lock (_lock)
        {
            return new MemoryHistory([.. _samples], _moments, _memory.Statistics is not null);
        }
    }

    public void Dispose() => _timer.Dispose();

    private void Sample()
    {
        lock (_lock)
        {
            if (_samples.Count == MaxSamples)
            {
                KeepHigherOfEachPair();
                _period *= 2;
                _timer.Change(_period, _period);
            }

            PixelPoolStatistics pool = _memory.Statistics ?? default;
            _samples.Add(new MemorySample(
                _time.GetElapsedTime(_start), ResidentMemory.Current(), pool.RentedBytes, pool.IdleBytes, pool.TrimmedBytes));
        }
    }

    private void KeepHigherOfEachPair()
    {
        for (int i = 0; i < MaxSamples / 2; i++)
        {
            MemorySample earlier = _samples[2 * i];
            MemorySample later = _samples[(2 * i) + 1];
            _samples[i] = earlier.Resident > later.Resident ? earlier : later;
        }

        _samples.RemoveRange(MaxSamples / 2, MaxSamples / 2);
    }
}
