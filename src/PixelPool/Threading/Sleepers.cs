using System.Runtime.CompilerServices;

namespace PixelPool.Threading;

/// <summary>Wakes threads that wait on a monitor. Who wakes them is never interrupted.</summary>
internal static unsafe class Sleepers
{
    /// <summary>Wakes one thread.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WakeOne(object monitor) => Uninterrupted.Do(&Pulse, monitor);

    /// <summary>Wakes every thread.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WakeAll(object monitor) => Uninterrupted.Do(&PulseAll, monitor);

    private static void Pulse(object monitor)
    {
        lock (monitor)
        {
            Monitor.Pulse(monitor);
        }
    }

    private static void PulseAll(object monitor)
    {
        lock (monitor)
        {
            Monitor.PulseAll(monitor);
        }
    }
}
