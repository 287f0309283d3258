namespace PixelPool.Threading;

/// <summary>Does what must not be left out: wake-ups, and handing work to others. What they need has locks of its own, at which a thread can be interrupted.</summary>
internal static class Uninterrupted
{
    /// <summary>Does it again until nothing stops it. An interrupt is kept for the next time the thread blocks elsewhere.</summary>
    /// <param name="work">May be done twice.</param>
    /// <param name="state">Passed to it.</param>
    public static void Do<TState>(Action<TState> work, TState state)
    {
        bool interrupted = false;
        while (!TryDo(work, state, ref interrupted))
        {
        }

        if (interrupted)
        {
            Thread.CurrentThread.Interrupt();
        }
    }

    private static bool TryDo<TState>(Action<TState> work, TState state, ref bool interrupted)
    {
        try
        {
            work(state);
            return true;
        }
        catch (ThreadInterruptedException)
        {
            interrupted = true;
            return false;
        }
        catch (OutOfMemoryException)
        {
            // Memory for the monitor, or for the entry of a queue. Without the wake-up somebody would sleep forever, so it is tried until others gave some back.
            Thread.Yield();
            return false;
        }
    }
}
