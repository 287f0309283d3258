using System.Runtime.CompilerServices;

namespace PixelPool.Threading;

/// <summary>Threads that sleep on a monitor. Neither they nor who wakes them are ever interrupted.</summary>
internal static unsafe class Sleepers
{
    /// <summary>Sleeps until a word says that it is over. An interrupt that comes meanwhile is kept for the next time the thread blocks elsewhere.</summary>
    /// <param name="monitor">Where the thread is woken.</param>
    /// <param name="word">The word.</param>
    /// <param name="goesOn">Whether it is not over. Asked before each sleep, under the monitor.</param>
    public static void SleepWhile(object monitor, ref int word, delegate*<ref int, bool> goesOn)
    {
        // The pulse that an interrupted thread was given must not be lost: it goes on.
        bool interrupted = false;
        bool sleeps = true;
        while (sleeps)
        {
            try
            {
                lock (monitor)
                {
                    while (goesOn(ref word))
                    {
                        Monitor.Wait(monitor);
                    }
                }

                sleeps = false;
            }
            catch (ThreadInterruptedException)
            {
                interrupted = true;
            }
            catch (OutOfMemoryException)
            {
                // The first one to sleep here needs memory for the monitor.
                Thread.Yield();
            }
        }

        if (interrupted)
        {
            Thread.CurrentThread.Interrupt();
        }
    }

    /// <summary>Wakes one thread. Where several may sleep, each wakes the next one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WakeOne(object monitor) => Uninterrupted.Do(&Pulse, monitor);

    private static void Pulse(object monitor)
    {
        lock (monitor)
        {
            Monitor.Pulse(monitor);
        }
    }
}
