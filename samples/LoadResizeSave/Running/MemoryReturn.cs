using Imaging.Memory;
using LoadResizeSave.CommandLine;
using PixelPool.Diagnostics;

namespace LoadResizeSave.Running;

/// <summary>The end of a run, when all images were given back: memory leaves the process, slowly enough to be seen in the chart.</summary>
internal sealed class MemoryReturn(Settings settings, ImageMemory memory, MemoryRecorder recorder, TimeProvider time, CancellationToken interruption)
{
    /// <summary>How long the chart shows idle memory before and after it is given back.</summary>
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(600);

    /// <summary>The same for a run that waited half a minute, beside which that would be too short to see.</summary>
    private static readonly TimeSpan s_pauseAfterWatch = TimeSpan.FromSeconds(4);

    private static readonly TimeSpan s_longestWatch = TimeSpan.FromSeconds(60);

    public async Task WatchAsync()
    {
        await PauseAsync(s_pause);
        if (settings.LeakEvery > 0)
        {
            // Forgotten images come back with the next collection, which an idle program may not have for a long time.
            GC.Collect();
            GC.WaitForPendingFinalizers();
            recorder.Mark("finalizers");
            await PauseAsync(s_pause);
        }

        if (settings.WatchIdle)
        {
            await WaitUntilNothingIsIdleAsync();
        }

        if (settings.WatchIdle && !interruption.IsCancellationRequested)
        {
            recorder.Mark("let go by itself");
            await PauseAsync(s_pauseAfterWatch);
        }
        else
        {
            memory.GiveBackIdle();
            recorder.Mark(memory.WayToGiveBack);
            await PauseAsync(s_pause);
        }
    }

    private async Task WaitUntilNothingIsIdleAsync()
    {
        long start = time.GetTimestamp();
        while (memory.Statistics is { IdleBytes: > 0 } && time.GetElapsedTime(start) < s_longestWatch && !interruption.IsCancellationRequested)
        {
            await PauseAsync(s_pause);
        }
    }

    /// <summary>Who interrupts wants no pauses.</summary>
    private async Task PauseAsync(TimeSpan pause) =>
        await Task.Delay(pause, time, interruption).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
