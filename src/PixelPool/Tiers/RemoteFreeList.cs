using System.Runtime.InteropServices;

namespace PixelPool.Tiers;

/// <summary>
/// Pieces of a slab that came back on other processors than its owner's, until the owner claims them: a list of indexes, linked through the table of the slab. One word on
/// cache lines of its own holds its first index, its length, and the length that it must stay below. So what comes back there writes nothing that the owner writes.
/// </summary>
/// <remarks>
/// Invariant: the list is always shorter than the limit, or empty, and the owner keeps the limit at or below the number of pieces that it knows to be in use. So the
/// last piece of a slab is never in here, and whoever returns it finds the slab empty at once. Pieces are pushed one by one and claimed all at once: so a first index
/// that is seen again is harmless.
/// </remarks>
[StructLayout(LayoutKind.Sequential)]
internal struct RemoteFreeList
{
    /// <summary>The highest limit: the parts of the word have room for more.</summary>
    public const int HighestLimit = 64;

    private const int CountShift = 32;
    private const int LimitShift = 48;
    private const long OnePiece = 1L << CountShift;

    // Two lines on both sides: processors fetch them in pairs.
#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Apart _before;
#pragma warning restore CS0169, IDE0051, CA1823

    // The first index + 1 (0: none), the length, the limit.
    private long _state;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Apart _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>Whether there are any.</summary>
    public bool IsEmpty => First(Volatile.Read(ref _state)) < 0;

    /// <summary>Adds a piece, without a lock.</summary>
    /// <param name="piece">Its index.</param>
    /// <param name="next">The table of links.</param>
    /// <returns>False when the list would reach its limit: the owner has to be asked.</returns>
    public bool TryPush(int piece, int[] next)
    {
        for (long state = Volatile.Read(ref _state); CountOf(state) + 1 < state >> LimitShift; state = Volatile.Read(ref _state))
        {
            next[piece] = First(state);
            long pushed = ((state >> CountShift) << CountShift) + OnePiece + piece + 1;
            if (Interlocked.CompareExchange(ref _state, pushed, state) == state)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Takes all of them. From here on nothing is added, until <see cref="Open"/>. Under the owner's lock.</summary>
    /// <param name="first">The first index, with which the list begins; −1 for none.</param>
    /// <returns>How many.</returns>
    public int Claim(out int first)
    {
        long state = Interlocked.Exchange(ref _state, 0);
        first = First(state);
        return CountOf(state);
    }

    /// <summary>From here on pieces may be added. Under the owner's lock, after <see cref="Claim"/>.</summary>
    /// <param name="limit">What the length stays below; 0 and 1 let nothing in.</param>
    public void Open(int limit) => Volatile.Write(ref _state, (long)limit << LimitShift);

    private static int First(long state) => (int)(uint)state - 1;

    private static int CountOf(long state) => (int)(state >> CountShift) & 0xFFFF;

    [StructLayout(LayoutKind.Sequential, Size = 128)]
    private readonly struct Apart;
}
