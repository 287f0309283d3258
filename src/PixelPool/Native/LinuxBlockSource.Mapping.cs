namespace PixelPool.Native;

// Where memory is mapped and unmapped: aligned, with margins.
internal sealed partial class LinuxBlockSource
{
    // Regions are as large as all that is taken, up to this: so at most half of the addresses are spare, and few regions are needed. More is not mapped at once where no block has to lie beside
    // another: a mapping that is larger than all memory is refused.
    private const int MostRegionBytes = 256 << 20;

    // With room for more blocks than are needed, if the system has it.
    private nint MapRegionWithRoom(int count, int more, int taken, int blockBytes, bool hugePages)
    {
        int most = Math.Max(1, MostRegionBytes / blockBytes);
        int needed = Math.Max(count, Math.Min(count + more, most));
        int size = _keepsPages ? needed : Math.Max(needed, Math.Min(taken, most));
        nint run = MapRegion(count, size, blockBytes, hugePages, moved: 0);
        return run == 0 && size > needed ? MapRegion(count, needed, blockBytes, hugePages, moved: 0) : run;
    }

    private nint MapRegion(int count, int size, int blockBytes, bool hugePages, int moved)
    {
        nint bytes = (nint)size * blockBytes;
        nint start = Map(bytes, hugePages);
        if (start == 0)
        {
            return 0;
        }

        try
        {
            var region = new BlockRegion(start, size, blockBytes, hugePages, moved);
            _ = region.TryTake(count);
            _regions.Add(region);
            return start;
        }
        catch (OutOfMemoryException)
        {
            // There is no managed memory to remember it.
        }

        Release(start, bytes);
        return 0;
    }

    private nint Map(nint bytes, bool hugePages)
    {
        // Where it is to begin on a boundary, more than is needed, of which both ends are cut off: the page before a boundary, and so on.
        nint boundary = bytes < HugePageBytes ? _page : (nint)HugePageBytes;
        nint size = WholePages(bytes) + (2 * _page);
        nint mapped = size + boundary - _page;
        nint mapping = kernel.Map(mapped);
        if (mapping == 0)
        {
            return 0;
        }

        nint start = ((mapping + _page + boundary - 1) & -boundary) - _page;
        nint behind = mapping + mapped - start - size;
        if (mapping < start)
        {
            Unmap(mapping, start - mapping);
        }

        if (behind > 0)
        {
            Unmap(start + size, behind);
        }

        if (bytes >= HugePageBytes)
        {
            kernel.PreferHugePages(start, size, hugePages);
        }

        return start + _page;
    }

    private nint WholePages(nint bytes) => (bytes + _page - 1) & -_page;

    // The range is nobody's but the caller's. Where a mapping would be cut in two, and the process has too many, its pages go, and its addresses are lost. They are not cleared where the
    // kernel keeps them: nobody may be able to touch them.
    private void Unmap(nint start, nint bytes)
    {
        if (!kernel.TryUnmap(start, bytes))
        {
            _ = kernel.TryDiscard(start, bytes);
        }
    }
}
