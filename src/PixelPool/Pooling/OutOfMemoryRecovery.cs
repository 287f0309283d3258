using PixelPool.Accounts;

namespace PixelPool.Pooling;

/// <summary>
/// What is done between two attempts to get memory: give the idle memory of every pool of the process back, let a collection find leaked
/// buffers, give others a moment to return memory. A bounded number of times, then the request fails. What is more than all the memory that the process
/// may use fails at once, if it is much before any of it is taken: no other pool loses anything for it.
/// </summary>
/// <param name="pressure">Says how much memory there is.</param>
/// <param name="accounts">Say what is held.</param>
/// <param name="pause">Waits so long. Not on the application's clock: nobody may be there to advance that.</param>
internal sealed class OutOfMemoryRecovery(MemoryPressureSource pressure, MemoryAccounts accounts, Action<TimeSpan> pause)
{
    /// <summary>Attempts a request gets in all.</summary>
    public const int Attempts = 4;

    // What is less costs little to take before the system says no.
    private const long AskedFirstBytes = 1L << 30;

    private const int PauseMilliseconds = 50;

    /// <summary>To be called before memory is taken piece by piece. The system often refuses nothing: it would be taken until the process has no mapping left, without which the runtime ends it.</summary>
    /// <param name="bytes">All that the request asks for. What is little is not looked at.</param>
    /// <exception cref="OutOfMemoryException">The request can never fit.</exception>
    public void CheckFits(long bytes)
    {
        if (bytes > AskedFirstBytes)
        {
            ThrowIfNeverFits(bytes);
        }
    }

    /// <summary>Tries to make room after the attempt with this number, counted from 0, failed.</summary>
    /// <param name="attempt">The number of the attempt.</param>
    /// <param name="bytes">All that the request asks for.</param>
    /// <param name="pieces">In how many pieces.</param>
    /// <exception cref="OutOfMemoryException">It was the last attempt, or the request can never fit.</exception>
    public void MakeRoom(int attempt, long bytes, int pieces)
    {
        if (attempt >= Attempts - 1)
        {
            // In every tier, rented and idle: whoever looks where the bytes are finds the same.
            PixelPoolStatistics held = accounts.GetStatistics();
            throw new OutOfMemoryException(
                $"The system has no memory left for {ByteSize.Format(bytes)} ({Plural.Of(pieces, "piece")}); "
                + $"this pool holds {ByteSize.Format(held.RentedBytes + held.IdleBytes)}. Every pool of the process was trimmed and the request was repeated.");
        }

        ThrowIfNeverFits(bytes);
        if (DepotTrimmer.TrimAll(TrimReason.OutOfMemory) == 0)
        {
            // No pool had anything idle: only memory that somebody forgot, or still uses, can help.
            GC.Collect();
            pause(TimeSpan.FromMilliseconds(PauseMilliseconds));
        }
    }

    private void ThrowIfNeverFits(long bytes)
    {
        if (pressure.TryGetAvailableBytes() is > 0 and long available && bytes > available)
        {
            throw new OutOfMemoryException(
                $"{ByteSize.Format(bytes)} of pixels is more than all memory that this process may use ({ByteSize.Format(available)}).");
        }
    }
}
