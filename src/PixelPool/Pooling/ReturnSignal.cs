using System.Runtime.CompilerServices;
using PixelPool.Threading;

namespace PixelPool.Pooling;

/// <summary>Wakes requests that found no memory when any pool gets some back. Costs one read of a shared line when nobody waits.</summary>
internal static class ReturnSignal
{
    // Made by the first who waits: whoever returns memory must not need any for it, nor for an initializer of this type.
    private static object? s_sleepers;
    private static int s_waiters;
    private static int s_epoch;

    /// <summary>Requests that wait now.</summary>
    public static int Waiters => Volatile.Read(ref s_waiters);

    /// <summary>To be called after memory became idle or went back to the system.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Notify()
    {
        if (Volatile.Read(ref s_waiters) != 0)
        {
            WakeAll();
        }
    }

    /// <summary>
    /// Blocks until memory is returned or the time is over, by the system's clock: the thread needs nobody to wake it. A return just before the call may be
    /// missed: the caller tries again anyway.
    /// </summary>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted.</exception>
    public static void Wait(TimeSpan atMost)
    {
        if (Volatile.Read(ref s_sleepers) is not { } sleepers)
        {
            object made = new();
            sleepers = Interlocked.CompareExchange(ref s_sleepers, made, null) ?? made;
        }

        // In this order: once it counts as a waiter, no return is missed.
        int epoch = Volatile.Read(ref s_epoch);
        Interlocked.Increment(ref s_waiters);
        try
        {
            long began = TimeProvider.System.GetTimestamp();
            lock (sleepers)
            {
                while (epoch == Volatile.Read(ref s_epoch) && atMost - TimeProvider.System.GetElapsedTime(began) is var rest && rest > TimeSpan.Zero)
                {
                    // Monitors count whole milliseconds.
                    Monitor.Wait(sleepers, (int)Math.Ceiling(rest.TotalMilliseconds));
                }
            }
        }
        finally
        {
            Interlocked.Decrement(ref s_waiters);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WakeAll()
    {
        Interlocked.Increment(ref s_epoch);
        Sleepers.WakeAll(s_sleepers!);
    }
}
