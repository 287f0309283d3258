using System.Diagnostics;
using PixelPool.Threading;

namespace PixelPool.Native;

/// <summary>
/// The blocks that live: which of them lie side by side, and so, to whom the pages at their edges belong. Touched only when blocks come from the system, go
/// back to it, or are moved.
/// </summary>
/// <remarks>
/// <para>
/// A page is needed while it lies in a live block, or directly beside one: the margin of that block. Pages become needed when blocks are added, which are mapped
/// then, and are needed by nobody from one <see cref="Remove"/> on, which tells them to its caller and to nobody else. So each page is unmapped once, by one
/// thread, after which nobody touches it: by then it may belong to somebody else. That needs no system call under the lock.
/// </para>
/// <para>
/// Blocks that are mapped below others begin with the margin of those: whoever maps them claims the page before. A block that goes meanwhile leaves that
/// page, and its own first one, to who has the claim.
/// </para>
/// </remarks>
internal sealed partial class LiveBlocks(nint pageBytes)
{
    private readonly Dictionary<nint, Block> _blocks = [];
    private readonly UninterruptibleLock _gate = new();
    private int _moves;
    private int _groups;

    /// <summary>
    /// Groups of blocks that are connected, side by side or by their margins. The kernel needs no more mappings than these for all blocks that were not moved.
    /// </summary>
    public int Groups => Volatile.Read(ref _groups);

    /// <summary>Adds blocks that lie side by side between two margins, all mapped. All or none.</summary>
    /// <param name="start">Where they begin.</param>
    /// <param name="count">Blocks.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="moved">How many of them, the first ones, take a move of <see cref="TryPlanMoves"/>. Nothing is mapped below them.</param>
    /// <returns>False when there is no memory for the entries.</returns>
    public bool TryAdd(nint start, int count, int blockBytes, int moved)
    {
        using (_gate.Hold())
        {
            return TryAddAll(start, count, blockBytes, moved);
        }
    }

    /// <summary>
    /// Says that blocks that lie side by side are about to be removed: nothing is mapped below them from now on.
    /// </summary>
    /// <returns>True when a page of theirs will be kept, as somebody else's margin.</returns>
    public bool BeginRemove(nint start, int count, int blockBytes)
    {
        using (_gate.Hold())
        {
            Block first = _blocks[start];
            _blocks[start] = first with { Marks = first.Marks | BlockMarks.NothingBelow };
            return (first.Marks & BlockMarks.Claimed) != 0
                || IsLive(start - blockBytes, blockBytes)
                || IsLive(start + ((nint)count * blockBytes), blockBytes);
        }
    }

    /// <summary>Removes live blocks that lie side by side.</summary>
    /// <returns>The pages that nobody needs any more, which are the caller's to unmap; none where the start is not below the end.</returns>
    public (nint Start, nint End) Remove(nint start, int count, int blockBytes)
    {
        nint end = start + ((nint)count * blockBytes);
        using (_gate.Hold())
        {
            bool isClaimed = (_blocks[start].Marks & BlockMarks.Claimed) != 0;
            for (nint block = start; block < end; block += blockBytes)
            {
                bool wasLive = _blocks.TryGetValue(block, out Block removed);
                Debug.Assert(wasLive && removed.Bytes == blockBytes, "a block that was not got from here");
                _blocks.Remove(block);
                _moves -= (removed.Marks & BlockMarks.Moved) != 0 ? 1 : 0;
            }

            _groups += CountConnected(start, end, blockBytes) - 1;

            // A neighbour keeps the page that is its margin; so does, where a block is one page, who lies one block away.
            return (
                isClaimed || IsLive(start - blockBytes, blockBytes) ? start + pageBytes
                    : IsLive(start - pageBytes - blockBytes, blockBytes) ? start
                    : start - pageBytes,
                IsLive(end, blockBytes) ? end - pageBytes : IsLive(end + pageBytes, blockBytes) ? end : end + pageBytes);
        }
    }

    /// <summary>Whether pages lie between the margins of two live blocks, so that unmapping them cuts a mapping in two.</summary>
    public bool AreBetweenMargins(nint start, nint end, int blockBytes)
    {
        using (_gate.Hold())
        {
            return IsLive(start - pageBytes - blockBytes, blockBytes) && IsLive(end + pageBytes, blockBytes);
        }
    }

    /// <summary>Plans moves of blocks, each of which leaves a mapping, until the moved block is removed.</summary>
    /// <returns>False when more than <paramref name="most"/> moved blocks would live.</returns>
    public bool TryPlanMoves(int count, int most)
    {
        using (_gate.Hold())
        {
            if (_moves + count > most)
            {
                return false;
            }

            _moves += count;
            return true;
        }
    }

    /// <summary>Ends the plan of moves for which no block was added.</summary>
    public void CancelMoves(int count)
    {
        using (_gate.Hold())
        {
            _moves -= count;
        }
    }

    private int CountConnected(nint start, nint end, int blockBytes) =>
        (IsLive(start - blockBytes, blockBytes) || IsAcrossMargins(start - (2 * pageBytes) - blockBytes, blockBytes) ? 1 : 0)
        + (IsLive(end, blockBytes) || IsAcrossMargins(end + (2 * pageBytes), blockBytes) ? 1 : 0);

    // Two margins lie between mappings that touch. Where that may as well be the place of a block that went, they are not taken for one.
    private bool IsAcrossMargins(nint block, int blockBytes) => blockBytes > 2 * pageBytes && IsLive(block, blockBytes);

    // Blocks of another size are never neighbours: they are of another mapping, with margins between.
    private bool IsLive(nint block, int blockBytes) => _blocks.TryGetValue(block, out Block live) && live.Bytes == blockBytes;

    private bool TryAddAll(nint start, int count, int blockBytes, int moved)
    {
        int added = 0;
        try
        {
            for (; added < count; added++)
            {
                _blocks.Add(start + ((nint)added * blockBytes), new Block(blockBytes, added < moved ? BlockMarks.Moved | BlockMarks.NothingBelow : BlockMarks.None));
            }
        }
        catch (OutOfMemoryException)
        {
            while (added > 0)
            {
                added--;
                _blocks.Remove(start + ((nint)added * blockBytes));
            }

            return false;
        }

        _groups += 1 - CountConnected(start, start + ((nint)count * blockBytes), blockBytes);
        return true;
    }

    private readonly record struct Block(int Bytes, BlockMarks Marks);
}
