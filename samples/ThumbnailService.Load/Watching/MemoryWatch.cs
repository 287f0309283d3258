namespace ThumbnailService.Load.Watching;

/// <summary>Looks at the memory of the service from outside, every few milliseconds, until stopped.</summary>
internal sealed class MemoryWatch
{
    /// <summary>How often it looks.</summary>
    public static readonly TimeSpan Period = TimeSpan.FromMilliseconds(25);

    private readonly ControlGroup _group;
    private readonly WatchedProcess _process;
    private readonly TimeProvider _time;
    private readonly long _start;
    private readonly List<MemorySample> _samples = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _watching;

    public MemoryWatch(ControlGroup group, WatchedProcess process, TimeProvider time)
    {
        _group = group;
        _process = process;
        _time = time;
        _start = time.GetTimestamp();
        _watching = Task.Run(WatchAsync);
    }

    /// <summary>The most that was seen resident. The kernel keeps the peak itself, but only as long as the process lives.</summary>
    public long PeakResidentBytes { get; private set; }

    /// <summary>When the kernel had killed a process because the group had no memory left, at most a period before; null: it killed none.</summary>
    public double? KilledSeconds { get; private set; }

    public async Task<IReadOnlyList<MemorySample>> StopAsync()
    {
        await _stop.CancelAsync();
        await _watching;
        Look();
        return _samples;
    }

    private async Task WatchAsync()
    {
        using var timer = new PeriodicTimer(Period, _time);
        try
        {
            do
            {
                Look();
            }
            while (await timer.WaitForNextTickAsync(_stop.Token));
        }
        catch (OperationCanceledException)
        {
            // Stopped.
        }
    }

    private void Look()
    {
        (long resident, long peak) = _process.Resident();
        PeakResidentBytes = Math.Max(PeakResidentBytes, peak);
        double seconds = _time.GetElapsedTime(_start).TotalSeconds;
        if (KilledSeconds is null && _group.Kills > 0)
        {
            KilledSeconds = seconds;
        }

        _samples.Add(new MemorySample(seconds, _group.UsageBytes, resident));
    }
}
