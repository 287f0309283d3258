namespace PixelPool.Pooling;

/// <summary>
/// Bytes that may be rented at once. One counter for all threads: paid only by allocators that have a budget. It is charged before memory is
/// taken, with the bytes that are really held, and released exactly once, when they went back.
/// </summary>
internal sealed class MemoryBudget(long limitBytes)
{
    private long _charged;

    public long LimitBytes { get; } = limitBytes;

    /// <returns>False when the bytes do not fit: nothing was charged.</returns>
    public bool TryCharge(long bytes)
    {
        long charged = Volatile.Read(ref _charged);
        while (bytes <= LimitBytes - charged)
        {
            long seen = Interlocked.CompareExchange(ref _charged, charged + bytes, charged);
            if (seen == charged)
            {
                return true;
            }

            charged = seen;
        }

        return false;
    }

    public void Release(long bytes) => Interlocked.Add(ref _charged, -bytes);
}
