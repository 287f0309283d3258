namespace PixelPool.Tests.Infrastructure;

/// <summary>Lets two threads go on at the same moment, to within nanoseconds; a barrier of the base library wakes them microseconds apart.</summary>
internal sealed class SpinMeeting
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(8);

    // Places on cache lines of their own.
    private readonly int[] _arrived = new int[64];
    private readonly long _began = TimeProvider.System.GetTimestamp();
    private bool _over;

    /// <summary>Waits for the other thread, and asks whether to meet once more: on a machine that has other things to do, meetings take a thousand times as long.</summary>
    /// <param name="thread">0 or 1.</param>
    /// <returns>The same for both threads: false when the time is over.</returns>
    public bool WaitAndGoOn(int thread)
    {
        if (thread == 0)
        {
            // The other one reads it between this meeting and the next one.
            _over = TimeProvider.System.GetElapsedTime(_began) > s_patience;
        }

        Wait(thread);
        return !_over;
    }

    /// <summary>Waits for the other thread.</summary>
    /// <param name="thread">0 or 1.</param>
    public void Wait(int thread)
    {
        ref int mine = ref _arrived[thread * 32];
        ref int other = ref _arrived[(1 - thread) * 32];
        int meeting = mine + 1;
        Volatile.Write(ref mine, meeting);
        var spin = default(SpinWait);
        while (Volatile.Read(ref other) - meeting < 0)
        {
            // Never sleeps, but lets others run where there is one processor.
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }
}
