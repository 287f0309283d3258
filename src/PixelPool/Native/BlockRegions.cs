using PixelPool.Threading;

namespace PixelPool.Native;

/// <summary>
/// The regions that blocks lie in. The lowest free place of the oldest region serves first, so that others become free and go as a whole. Touched only when blocks come from the system,
/// go back to it, or are moved. Thread-safe; no system call is made here.
/// </summary>
internal sealed class BlockRegions
{
    // The oldest first.
    private readonly List<BlockRegion> _regions = new(4);
    private readonly UninterruptibleLock _gate = new();
    private int _moved;

    /// <summary>Blocks of all regions whose pages were moved there.</summary>
    public int Moved => Volatile.Read(ref _moved);

    /// <summary>Takes free places that lie side by side.</summary>
    /// <param name="count">How many.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="hugePages">Whether they have to ask for huge pages, or for small ones.</param>
    /// <param name="taken">Where there are not so many, how many such blocks are taken.</param>
    /// <returns>The first of them, or 0.</returns>
    public nint TryTakeRun(int count, int blockBytes, bool hugePages, out int taken)
    {
        taken = 0;
        using (_gate.Hold())
        {
            foreach (BlockRegion region in _regions)
            {
                if (region.IsFor(blockBytes, hugePages))
                {
                    nint run = region.TryTake(count);
                    if (run != 0)
                    {
                        return run;
                    }

                    taken += region.Taken;
                }
            }
        }

        return 0;
    }

    /// <summary>Adds a region.</summary>
    /// <exception cref="OutOfMemoryException">There is no managed memory to remember it.</exception>
    public void Add(BlockRegion region)
    {
        using (_gate.Hold())
        {
            _regions.Add(region);
            _moved += region.Moved;
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
