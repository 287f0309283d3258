namespace PixelPool.Native;

/// <summary>
/// Places for blocks of one size, side by side in one mapping between two margins. A place is taken, or has no pages and reads as zero: either can be read. Not thread-safe.
/// </summary>
/// <param name="capacity">The most places. The object serves again when its mapping is gone.</param>
internal sealed class BlockRegion(int capacity)
{
    private readonly bool[] _taken = new bool[capacity];
    private int _blocks;
    private int _blockBytes;
    private bool _hasHugePages;

    public int Capacity => capacity;

    public nint Start { get; private set; }

    public nint Bytes => (nint)_blocks * _blockBytes;

    /// <summary>Blocks whose pages were moved here: each may be a mapping of its own, for as long as the region lives.</summary>
    public int Moved { get; private set; }

    public int Taken { get; private set; }

    /// <summary>The first places of a fresh mapping are taken.</summary>
    public void Begin(nint start, int blocks, int taken, int blockBytes, bool hugePages, int moved)
    {
        (Start, _blocks, _blockBytes, _hasHugePages, Moved) = (start, blocks, blockBytes, hugePages, moved);
        Mark(0, taken, isTaken: true);
    }

    /// <summary>Whether it has blocks of that size, and asks for huge pages or does not.</summary>
    public bool IsFor(int bytes, bool huge) => _blockBytes == bytes && _hasHugePages == huge;

    public bool Contains(nint place) => Start <= place && place < Start + Bytes;

    /// <summary>Takes places that lie side by side, the lowest ones.</summary>
    /// <returns>The first of them, or 0 when there are not so many.</returns>
    public nint TryTake(int count)
    {
        int first = _taken.AsSpan(0, _blocks).IndexOf(false);
        while (first >= 0 && first + count <= _blocks)
        {
            int lastTaken = _taken.AsSpan(first, count).LastIndexOf(true);
            if (lastTaken < 0)
            {
                Mark(first, count, isTaken: true);
                return Start + ((nint)first * _blockBytes);
            }

            first += lastTaken + 1;
        }

        return 0;
    }

    /// <summary>Places become free: nothing is in them.</summary>
    public void Free(nint run, int count) => Mark((int)((run - Start) / _blockBytes), count, isTaken: false);

    private void Mark(int first, int count, bool isTaken)
    {
        for (int i = first; i < first + count; i++)
        {
            _taken[i] = isTaken;
        }

        Taken += isTaken ? count : -count;
    }
}
