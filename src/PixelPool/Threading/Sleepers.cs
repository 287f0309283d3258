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
        // The word stays where it is meanwhile.
        fixed (int* at = &word)
        {
            Uninterrupted.Do(&Sleep, (monitor, (nint)at, (nint)goesOn));
        }
    }

    /// <summary>Wakes one thread. Where several may sleep, each wakes the next one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WakeOne(object monitor) => Uninterrupted.Do(&Pulse, monitor);

    // The pulse that an interrupted thread was given is not lost: it looks again. The first one to sleep here needs memory for the monitor.
    private static void Sleep((object Monitor, nint Word, nint GoesOn) told)
    {
        lock (told.Monitor)
        {
            while (((delegate*<ref int, bool>)told.GoesOn)(ref *(int*)told.Word))
            {
                Monitor.Wait(told.Monitor);
            }
        }
    }

    private static void Pulse(object monitor)
    {
        lock (monitor)
        {
            Monitor.Pulse(monitor);
        }
    }
}
