namespace PixelPool.Threading;

/// <summary>Does what must not be left out: wake-ups, and handing work to others. What they need has locks of its own, at which a thread can be interrupted.</summary>
/// <remarks>It takes functions, not delegates: one that is made at its first use needs memory, just where there may be none.</remarks>
internal static unsafe class Uninterrupted
{
    /// <summary>Does it again until nothing stops it. An interrupt is kept for the next time the thread blocks elsewhere.</summary>
    /// <param name="work">May be done twice.</param>
    /// <param name="state">Passed to it.</param>
    public static void Do<TState>(delegate*<TState, void> work, TState state)
    {
        while (!TryDo(work, state))
        {
            // Memory for the monitor, or for the queue. Without the wake-up somebody would sleep forever, so it is tried until others gave some back.
            Thread.Yield();
        }
    }

    /// <summary>The same, once: it may be left out.</summary>
    /// <param name="work">May be done twice.</param>
    /// <param name="state">Passed to it.</param>
    /// <returns>False when there is no memory for it.</returns>
    public static bool TryDo<TState>(delegate*<TState, void> work, TState state)
    {
        bool interrupted = false;
        try
        {
            while (true)
            {
                try
                {
                    work(state);
                    return true;
                }
                catch (ThreadInterruptedException)
                {
                    interrupted = true;
                }
                catch (OutOfMemoryException)
                {
                    return false;
                }
            }
        }
        finally
        {
            if (interrupted)
            {
                Thread.CurrentThread.Interrupt();
            }
        }
    }

    /// <summary>Keeps an interrupt that was caught where it must not be thrown, for the next time that the thread blocks.</summary>
    /// <returns>True when that is what was caught.</returns>
    public static bool Keep(Exception caught)
    {
        if (caught is not ThreadInterruptedException)
        {
            return false;
        }

        Thread.CurrentThread.Interrupt();
        return true;
    }
}
