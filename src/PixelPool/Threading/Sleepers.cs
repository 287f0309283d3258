using System.Runtime.CompilerServices;

namespace PixelPool.Threading;

/// <summary>Wakes threads that wait on a monitor. Who wakes them is never interrupted: an interrupt is kept for the next time the thread blocks elsewhere.</summary>
internal static class Sleepers
{
    /// <summary>Wakes one thread.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WakeOne(object monitor) => Wake(monitor, all: false);

    /// <summary>Wakes every thread.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WakeAll(object monitor) => Wake(monitor, all: true);

    private static void Wake(object monitor, bool all)
    {
        bool interrupted = false;
        while (!TryPulse(monitor, all))
        {
            interrupted = true;
        }

        if (interrupted)
        {
            Thread.CurrentThread.Interrupt();
        }
    }

    private static bool TryPulse(object monitor, bool all)
    {
        try
        {
            lock (monitor)
            {
                if (all)
                {
                    Monitor.PulseAll(monitor);
                }
                else
                {
                    Monitor.Pulse(monitor);
                }
            }

            return true;
        }
        catch (ThreadInterruptedException)
        {
            return false;
        }
    }
}
