using PixelPool.AspNetCore.Allocators;

namespace PixelPool.AspNetCore.History;

/// <summary>
/// The last minutes of the allocators of an application. Samples are taken while somebody looks, and for <see cref="Attention"/> after the last look: then the timer
/// ends, and a service that nobody looks at has none. Thread-safe.
/// </summary>
/// <param name="allocators">Whose memory is sampled.</param>
/// <param name="time">The clock of the application.</param>
/// <param name="residentBytes">Counts the physical memory of the process. Throws nothing.</param>
internal sealed class MemoryHistory(AllocatorList allocators, TimeProvider time, Func<long> residentBytes)
{
    /// <summary>From one sample to the next.</summary>
    public static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    /// <summary>How far back samples are shown. The ring has room for all of them.</summary>
    public static readonly TimeSpan Window = Period * SampleRing.Capacity;

    /// <summary>How long a look keeps samples coming.</summary>
    public static readonly TimeSpan Attention = TimeSpan.FromMinutes(5);

    // No code of the application that may wait runs under it: the allocators are asked for before, and a timer ends afterwards, which may wait for its last call.
    private readonly object _lock = new();
    private readonly Dictionary<PixelAllocator, SampleRing> _rings = [];
    private ITimer? _timer;
    private long _lastLook;
    private long? _lastSample;
    private bool _stopped;

    /// <summary>Somebody looks: takes a sample now, unless one is younger than <see cref="Period"/>, and others from now on.</summary>
    /// <remarks>While the timer runs a look adds none: the ring has room for those of the timer only.</remarks>
    public void Look()
    {
        IReadOnlyList<PixelAllocator> sampled = allocators.Current();
        lock (_lock)
        {
            long now = _lastLook = time.GetTimestamp();
            if (_lastSample is not { } last || time.GetElapsedTime(last, now) >= Period)
            {
                AddSamples(now, sampled);
            }

            if (!_stopped)
            {
                _timer ??= StartTimer();
            }
        }
    }

    /// <summary>The samples of an allocator within <see cref="Window"/>, the oldest first. If there is none, one is taken now.</summary>
    public HistorySample[] Samples(PixelAllocator allocator)
    {
        lock (_lock)
        {
            long now = time.GetTimestamp();
            long oldest = now - (long)(Window.TotalSeconds * time.TimestampFrequency);
            SampleRing ring = _rings.GetValueOrDefault(allocator) ?? AddRing(allocator);
            HistorySample[] samples = ring.Since(oldest);
            if (samples.Length == 0)
            {
                // Since the last samples were taken it was used for the first time, or again after a long while.
                ring.Add(HistorySample.Of(now, residentBytes(), allocator.GetStatistics()));
                samples = ring.Since(oldest);
            }

            return samples;
        }
    }

    /// <summary>Ends sampling for good: the application stops.</summary>
    public void Stop()
    {
        ITimer? ended;
        lock (_lock)
        {
            _stopped = true;
            ended = TakeTimer();
        }

        ended?.Dispose();
    }

    private void OnTimer()
    {
        try
        {
            TakeSamples();
        }
#pragma warning disable CA1031 // The clock is the application's, and a sample that is missing ends no process.
        catch (Exception)
        {
        }
#pragma warning restore CA1031
    }

    private void TakeSamples()
    {
        IReadOnlyList<PixelAllocator> sampled = allocators.Current();
        ITimer? ended = null;
        lock (_lock)
        {
            if (_timer is null)
            {
                return;
            }

            long now = time.GetTimestamp();
            if (time.GetElapsedTime(_lastLook, now) > Attention)
            {
                ended = TakeTimer();
            }
            else
            {
                AddSamples(now, sampled);
            }
        }

        ended?.Dispose();
    }

    // Under the lock, as everything below.
    private void AddSamples(long now, IReadOnlyList<PixelAllocator> sampled)
    {
        _lastSample = now;
        long resident = residentBytes();
        foreach (PixelAllocator allocator in sampled)
        {
            SampleRing ring = _rings.GetValueOrDefault(allocator) ?? AddRing(allocator);
            ring.Add(HistorySample.Of(now, resident, allocator.GetStatistics()));
        }
    }

    private SampleRing AddRing(PixelAllocator allocator) => _rings[allocator] = new SampleRing();

    // A timer captures the execution context. This one outlives the request that looks: it must not hold what flows with it.
    private ITimer StartTimer()
    {
        using AsyncFlowControl? flow = ExecutionContext.IsFlowSuppressed() ? null : ExecutionContext.SuppressFlow();
        return time.CreateTimer(static history => ((MemoryHistory)history!).OnTimer(), this, Period, Period);
    }

    private ITimer? TakeTimer()
    {
        ITimer? timer = _timer;
        _timer = null;
        return timer;
    }
}
