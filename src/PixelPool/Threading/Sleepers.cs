using System.Runtime.CompilerServices;

namespace PixelPool.Threading;

/// <summary>Wakes threads that wait on a monitor. Who wakes them is never interrupted.</summary>
internal static class Sleepers
{
    /// <summary>Wakes one thread.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WakeOne(object monitor) => Uninterrupted.Do(
        static monitor =>
        {
            lock (monitor)
            {
                Monitor.Pulse(monitor);
            }
        },
        monitor);

    /// <summary>Wakes every thread.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WakeAll(object monitor) => Uninterrupted.Do(
        static monitor =>
        {
            lock (monitor)
            {
                Monitor.PulseAll(monitor);
            }
        },
        monitor);
}
