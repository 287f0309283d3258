using PixelPool.Pooling;
using PixelPool.Trimming;

namespace PixelPool.Native;

/// <summary>
/// What is done between two attempts to get memory: give the idle memory of every pool of the process back, let a collection find leaked
/// buffers, wait briefly for somebody to return memory. A bounded number of times, then the request fails.
/// </summary>
internal static class OutOfMemoryRecovery
{
    /// <summary>Attempts a request gets in all.</summary>
    public const int Attempts = 4;

    private static readonly TimeSpan s_wait = TimeSpan.FromMilliseconds(50);

    /// <summary>Tries to make room after the attempt with this number, counted from 0, failed.</summary>
    /// <returns>False when it was the last attempt.</returns>
    public static bool TryMakeRoom(int attempt, TimeProvider time)
    {
        if (attempt >= Attempts - 1)
        {
            return false;
        }

        if (PoolRegistry.TrimAll(TrimReason.OutOfMemory) == 0)
        {
            // No pool had anything idle: only memory that somebody forgot, or still uses, can help.
            GC.Collect();
            ReturnSignal.Wait(s_wait, time);
        }

        return true;
    }
}
