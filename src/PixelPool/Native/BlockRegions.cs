using PixelPool.Threading;

namespace PixelPool.Native;

/// <summary>
/// The regions that blocks lie in. The lowest free place of the oldest region serves first, so that others become free and go as a whole. Touched only when blocks come from the system,
/// go back to it, or are moved. Thread-safe; no system call is made here.
/// </summary>
internal sealed class BlockRegions
{
    // Regions are as large as all that is taken, up to this: so at most half of the addresses are spare, and few regions are needed.
    private const int MostBytes = 256 << 20;

    // The oldest first.
    private readonly List<BlockRegion> _regions = [];
    private readonly UninterruptibleLock _gate = new();
    private int _moved;

    // So a rent after a trim makes none, and needs no managed memory.
    private BlockRegion? _unused;

    /// <summary>Blocks of all regions whose pages were moved there.</summary>
    public int Moved => Volatile.Read(ref _moved);

    /// <summary>Takes free places that lie side by side.</summary>
    /// <returns>The first of them, or 0.</returns>
    public nint TryTakeRun(int count, int blockBytes, bool hugePages)
    {
        using (_gate.Hold())
        {
            foreach (BlockRegion region in _regions)
            {
                if (region.IsFor(blockBytes, hugePages) && region.TryTake(count) is var run and not 0)
                {
                    return run;
                }
            }
        }

        return 0;
    }

    /// <summary>How many blocks the next region is to have, of which so many are needed at once.</summary>
    public int NextSize(int needed, int blockBytes, bool hugePages)
    {
        int taken = 0;
        using (_gate.Hold())
        {
            foreach (BlockRegion region in _regions)
            {
                taken += region.IsFor(blockBytes, hugePages) ? region.Taken : 0;
            }
        }

        return Math.Max(needed, Math.Min(taken, MostBlocks(blockBytes)));
    }

    /// <summary>The most blocks that are mapped at once where none has to lie beside another: a mapping that is larger than all memory is refused.</summary>
    public static int MostBlocks(int blockBytes) => Math.Max(1, MostBytes / blockBytes);

    /// <summary>The mapping of a region that was removed is gone: the object may serve again.</summary>
    public void Reuse(BlockRegion region) => _unused = region;

    /// <summary>Adds a region, of which the first places are taken.</summary>
    /// <exception cref="OutOfMemoryException">There is no managed memory to remember it.</exception>
    public void Add(nint start, int blocks, int taken, int blockBytes, bool hugePages, int moved)
    {
        BlockRegion region = Interlocked.Exchange(ref _unused, null) is { } unused && unused.Capacity >= blocks ? unused : new BlockRegion(blocks);
        region.Begin(start, blocks, taken, blockBytes, hugePages, moved);
        using (_gate.Hold())
        {
            _regions.Add(region);
            _moved += moved;
        }
    }

    /// <summary>Places of one region become free: nothing is in them.</summary>
    /// <returns>The region, when nothing is taken in it any more: it is removed, and the caller's to unmap.</returns>
    public BlockRegion? Free(nint run, int count)
    {
        using (_gate.Hold())
        {
            int index = 0;
            while (!_regions[index].Contains(run))
            {
                index++;
            }

            BlockRegion region = _regions[index];
            region.Free(run, count);
            if (region.Taken != 0)
            {
                return null;
            }

            _regions.RemoveAt(index);
            _moved -= region.Moved;
            return region;
        }
    }
}
