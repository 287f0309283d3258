namespace PixelPool.Native;

/// <summary>
/// Places for blocks of one size, side by side in one mapping between two margins. A place is taken, or has no pages and reads as zero: either can be read. Not thread-safe.
/// </summary>
/// <param name="start">The first place.</param>
/// <param name="blocks">How many places there are.</param>
/// <param name="blockBytes">Bytes of each.</param>
/// <param name="hugePages">Whether the mapping asks for huge pages.</param>
/// <param name="moved">Blocks whose pages are moved here.</param>
internal sealed class BlockRegion(nint start, int blocks, int blockBytes, bool hugePages, int moved)
{
    private readonly bool[] _taken = new bool[blocks];

    public nint Start => start;

    public nint Bytes => (nint)blocks * blockBytes;

    /// <summary>Blocks whose pages were moved here: each may be a mapping of its own, for as long as the region lives.</summary>
    public int Moved => moved;

    public int Taken { get; private set; }

    /// <summary>Whether it has blocks of that size, and asks for huge pages or does not.</summary>
    public bool IsFor(int bytes, bool huge) => blockBytes == bytes && hugePages == huge;

    public bool Contains(nint place) => start <= place && place < start + Bytes;

    /// <summary>Takes places that lie side by side, the lowest ones.</summary>
    /// <returns>The first of them, or 0 when there are not so many.</returns>
    public nint TryTake(int count)
    {
        int free = 0;
        for (int end = 1; end <= blocks && Taken + count <= blocks; end++)
        {
            free = _taken[end - 1] ? 0 : free + 1;
            if (free == count)
            {
                Mark(end - count, count, isTaken: true);
                return start + ((nint)(end - count) * blockBytes);
            }
        }

        return 0;
    }

    /// <summary>Places become free: nothing is in them.</summary>
    public void Free(nint run, int count) => Mark((int)((run - start) / blockBytes), count, isTaken: false);

    private void Mark(int first, int count, bool isTaken)
    {
        for (int i = first; i < first + count; i++)
        {
            _taken[i] = isTaken;
        }

        Taken += isTaken ? count : -count;
    }
}
