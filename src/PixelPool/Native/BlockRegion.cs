namespace PixelPool.Native;

/// <summary>
/// Places for blocks of one size, side by side in one mapping between two margins. A place is taken, or has no pages and reads as zero: either can be read. Not thread-safe.
/// </summary>
internal sealed class BlockRegion
{
    private readonly bool[] _taken;
    private readonly int _blockBytes;

    /// <param name="start">Where its mapping begins, without the margin.</param>
    /// <param name="blocks">How many places it has.</param>
    /// <param name="taken">The first places that are taken from the start.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="hugePages">Whether huge pages are asked for.</param>
    /// <param name="moved">Blocks that are to be moved here.</param>
    public BlockRegion(nint start, int blocks, int taken, int blockBytes, bool hugePages, int moved)
    {
        _taken = new bool[blocks];
        _blockBytes = blockBytes;
        Start = start;
        HasHugePages = hugePages;
        Moved = moved;
        Mark(0, taken, isTaken: true);
    }

    public nint Start { get; }

    public nint Bytes => (nint)_taken.Length * _blockBytes;

    /// <summary>Whether huge pages are asked for.</summary>
    public bool HasHugePages { get; }

    /// <summary>Blocks whose pages were moved here: each may be a mapping of its own, for as long as the region lives.</summary>
    public int Moved { get; }

    public int Taken { get; private set; }

    public bool IsFor(int bytes, bool huge) => _blockBytes == bytes && HasHugePages == huge;

    /// <summary>Takes places that lie side by side, the lowest ones.</summary>
    /// <returns>The first of them, or 0 when there are not so many.</returns>
    public nint TryTake(int count)
    {
        for (int first = 0; Taken + count <= _taken.Length;)
        {
            int free = _taken.AsSpan(first).IndexOf(false);
            if (free < 0 || first + free + count > _taken.Length)
            {
                break;
            }

            first += free;
            int next = _taken.AsSpan(first, count).IndexOf(true);
            if (next < 0)
            {
                Mark(first, count, isTaken: true);
                return Start + ((nint)first * _blockBytes);
            }

            first += next;
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
