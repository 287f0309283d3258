using PixelPool.Accounts;

namespace PixelPool.Pooling;

/// <summary>
/// What is done between two attempts to get memory: give the idle memory of every pool of the process back, let a collection find leaked
/// buffers, give others a moment to return memory. A bounded number of times, then the request fails. What is more than all the memory that the process
/// may use fails at once: no other pool loses anything for it.
/// </summary>
/// <param name="pressure">Says how much memory there is.</param>
/// <param name="pause">Waits so long. Not on the application's clock: nobody may be there to advance that.</param>
internal sealed class OutOfMemoryRecovery(MemoryPressureSource pressure, Action<TimeSpan> pause)
{
    /// <summary>Attempts a request gets in all.</summary>
    public const int Attempts = 4;

    private const int PauseMilliseconds = 50;

    /// <summary>Tries to make room after the attempt with this number, counted from 0, failed.</summary>
    /// <param name="attempt">The number of the attempt.</param>
    /// <param name="bytes">All that the request asks for.</param>
    /// <returns>False when it was the last attempt.</returns>
    /// <exception cref="OutOfMemoryException">The request can never fit.</exception>
    public bool TryMakeRoom(int attempt, long bytes)
    {
        if (attempt >= Attempts - 1)
        {
            return false;
        }

        long available = pressure.TryGetAvailableBytes();
        if (available > 0 && bytes > available)
        {
            Throw.NeverFits(bytes, available);
        }

        if (DepotTrimmer.TrimAll(TrimReason.OutOfMemory) == 0)
        {
            // No pool had anything idle: only memory that somebody forgot, or still uses, can help.
            GC.Collect();
            pause(TimeSpan.FromMilliseconds(PauseMilliseconds));
        }

        return true;
    }
}
