namespace PixelPool.Native;

/// <summary>Wakes requests that found no memory when any pool gets some back. Costs one read of a shared line when nobody waits.</summary>
internal static class ReturnSignal
{
    private static readonly object s_gate = new();
    private static int s_waiters;
    private static int s_epoch;

    /// <summary>To be called after memory became idle or went back to the system.</summary>
    public static void Notify()
    {
        if (Volatile.Read(ref s_waiters) != 0)
        {
            Wake();
        }
    }

    /// <summary>Blocks until memory is returned or the time is over. A return just before the call may be missed: the caller tries again anyway.</summary>
    public static void Wait(TimeSpan atMost, TimeProvider time)
    {
        lock (s_gate)
        {
            s_waiters++;
            int epoch = s_epoch;
            var deadline = new Deadline();
            using ITimer timer = time.CreateTimer(static state => ((Deadline)state!).Pass(), deadline, atMost, Timeout.InfiniteTimeSpan);
            while (epoch == s_epoch && !deadline.Passed)
            {
                Monitor.Wait(s_gate);
            }

            s_waiters--;
        }
    }

    private static void Wake()
    {
        lock (s_gate)
        {
            s_epoch++;
            Monitor.PulseAll(s_gate);
        }
    }

    private sealed class Deadline
    {
        public bool Passed { get; private set; }

        public void Pass()
        {
            lock (s_gate)
            {
                Passed = true;
                Monitor.PulseAll(s_gate);
            }
        }
    }
}
