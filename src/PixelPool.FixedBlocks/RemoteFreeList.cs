using PixelPool.Threading;

namespace PixelPool.FixedBlocks;

/// <summary>
/// The pieces of a heap that other threads freed, on cache lines of their own. They are pushed one by one, and taken all at once: so no address can come back
/// in between, and one word suffices.
/// </summary>
internal sealed unsafe class RemoteFreeList : CacheLineApart
{
    private nint _first;
#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    public void Push(byte* piece)
    {
        nint first = Volatile.Read(ref _first);
        while (true)
        {
            *(nint*)piece = first;
            nint seen = Interlocked.CompareExchange(ref _first, (nint)piece, first);
            if (seen == first)
            {
                return;
            }

            first = seen;
        }
    }

    /// <summary>How many there are. Nobody pushes or takes any meanwhile.</summary>
    public long Count()
    {
        long count = 0;
        for (nint piece = Volatile.Read(ref _first); piece != IntPtr.Zero; piece = *(nint*)piece)
        {
            count++;
        }

        return count;
    }

    /// <returns>The first of them, each with the address of the next one; null when there is none.</returns>
    public byte* TakeAll() => Volatile.Read(ref _first) == IntPtr.Zero ? null : (byte*)Interlocked.Exchange(ref _first, IntPtr.Zero);
}
