namespace PixelPool.Diagnostics;

/// <summary>
/// What the timer of a recorder holds: the recorder, weakly. A timer runs until somebody ends it, also when nobody knows it any more; so the tick that finds
/// its recorder collected does.
/// </summary>
internal sealed class RecorderTick(MemoryRecorder recorder)
{
    private readonly WeakReference<MemoryRecorder> _recorder = new(recorder);

    /// <summary>Null when the first tick comes before its creation has returned: then a later one ends it.</summary>
    public ITimer? Timer { get; set; }

    public void Run()
    {
        if (_recorder.TryGetTarget(out MemoryRecorder? recorder))
        {
            recorder.OnTimer();
        }
        else
        {
            MemoryRecorder.End(Timer);
        }
    }
}
