using System.Numerics;

namespace PixelPool.Native;

// Where memory is mapped and unmapped: aligned, with margins, and blocks below other blocks of their kind, so that the kernel needs few mappings and few calls.
internal sealed partial class LinuxBlockSource
{
    // Low addresses are left to those who need them.
    private const long LowestAddress = 1L << 32;

    // Where the lowest aligned mapping begins. Below it there mostly is room for the next one: to ask for that place is cheaper than to map more and cut it.
    // As with the lowest blocks, it is read and written without a lock: it is only a hint.
    private nint _lowestMapping;

    // Of each size, with and without huge pages: the block below which the next one is mapped. A hint, too.
    private readonly nint[] _lowestBlocks = new nint[2 * 32];

    // Between their margins. When there is no memory to remember them, there is none for the blocks.
    private nint MapBlocks(int count, int blockBytes, bool hugePages, int moved)
    {
        nint bytes = (nint)count * blockBytes;
        nint run = Map(bytes, hugePages);
        if (run != 0 && !_live.TryAdd(run, count, blockBytes, moved))
        {
            Unmap(run - _page, run + bytes + _page);
            return 0;
        }

        return run;
    }

    private nint Map(nint bytes, bool hugePages)
    {
        nint size = WholePages(bytes) + (2 * _page);
        if (bytes < HugePageBytes)
        {
            nint mapping = kernel.Map(hint: 0, size);
            return mapping == 0 ? 0 : mapping + _page;
        }

        nint start = MapAligned(size);
        if (start != 0)
        {
            kernel.PreferHugePages(start - _page, size, hugePages);
        }

        return start;
    }

    // The page before a boundary, and so on.
    private nint MapAligned(nint size)
    {
        nint hint = PlaceBelow(Volatile.Read(ref _lowestMapping), size);
        nint mapping = hint == 0 ? 0 : kernel.Map(hint, size);
        if (mapping != 0 && !IsAligned(mapping + _page))
        {
            Unmap(mapping, mapping + size);
            mapping = 0;
        }

        mapping = mapping != 0 ? mapping : MapAndCut(size);
        if (mapping == 0)
        {
            return 0;
        }

        Volatile.Write(ref _lowestMapping, mapping);
        return mapping + _page;
    }

    private nint MapAndCut(nint size)
    {
        nint mapping = kernel.Map(hint: 0, size + (nint)HugePageBytes);
        if (mapping == 0)
        {
            return 0;
        }

        nint start = AlignUp(mapping + _page) - _page;
        nint end = mapping + size + (nint)HugePageBytes;
        if (mapping < start)
        {
            Unmap(mapping, start);
        }

        if (start + size < end)
        {
            Unmap(start + size, end);
        }

        return start;
    }

    private nint PlaceBelow(nint lowest, nint size)
    {
        nint start = ((lowest - size + _page) & -(nint)HugePageBytes) - _page;

        return start >= LowestAddress ? start : 0;
    }

    // Blocks directly below one that lives: its margin is their last page. 0 when there is no such block, or no room.
    private nint MapBelow(nint block, int count, int blockBytes, bool hugePages)
    {
        nint bytes = (nint)count * blockBytes;
        nint run = block - bytes;
        if (run < LowestAddress || blockBytes <= 2 * _page || (bytes >= HugePageBytes && !IsAligned(run)) || !_live.TryClaimBelow(block, count, blockBytes))
        {
            return 0;
        }

        bool isMapped = kernel.TryMapHole(run - _page, bytes);
        if (!isMapped || !_live.TryAddBelow(block, count, blockBytes))
        {
            EndClaim(block, blockBytes);
            if (isMapped)
            {
                Unmap(run - _page, block - _page);
            }

            return 0;
        }

        if (bytes >= HugePageBytes)
        {
            kernel.PreferHugePages(run - _page, bytes, hugePages);
        }

        LowerLowestMapping(run - _page);
        return run;
    }

    private void EndClaim(nint block, int blockBytes)
    {
        (nint start, nint end) = _live.EndClaim(block, blockBytes);
        if (start < end)
        {
            Unmap(start, end);
        }
    }

    private ref nint LowestBlock(int blockBytes, bool hugePages) => ref _lowestBlocks[(2 * BitOperations.Log2((uint)blockBytes)) + (hugePages ? 1 : 0)];

    // When the lowest block goes back, the one above it becomes the lowest: so the next mapping takes the place that became free.
    private void RaiseLowestBlock(nint from, nint to, int blockBytes)
    {
        foreach (bool hugePages in (ReadOnlySpan<bool>)[false, true])
        {
            ref nint lowest = ref LowestBlock(blockBytes, hugePages);
            if (Volatile.Read(ref lowest) == from)
            {
                Volatile.Write(ref lowest, to);
            }
        }
    }

    private void LowerLowestMapping(nint start)
    {
        if (start < Volatile.Read(ref _lowestMapping))
        {
            Volatile.Write(ref _lowestMapping, start);
        }
    }

    private void RaiseLowestMapping(nint from, nint to)
    {
        if ((nuint)(from - Volatile.Read(ref _lowestMapping)) < (nuint)HugePageBytes)
        {
            Volatile.Write(ref _lowestMapping, to);
        }
    }

    private nint WholePages(nint bytes) => (bytes + _page - 1) & -_page;

    private static bool IsAligned(nint address) => (address & (nint)(HugePageBytes - 1)) == 0;

    private static nint AlignUp(nint address) => (address + (nint)HugePageBytes - 1) & -(nint)HugePageBytes;

    // The range is nobody's but the caller's.
    private void Unmap(nint start, nint end, int blockBytes = 0)
    {
        if (!_later.IsEmpty)
        {
            _later.Extend(ref start, ref end);
        }

        bool mustSpareMappings = _live.Groups > _mostMappings;
        bool wouldCut = mustSpareMappings && blockBytes != 0 && _live.AreBetweenMargins(start, end, blockBytes);
        if (wouldCut || !kernel.TryUnmap(start, end - start))
        {
            // The pages go at least.
            kernel.Discard(start, end - start);
            _later.Add(start, end);
            return;
        }

        RaiseLowestMapping(start, end);
        for (int i = 0; i < MostRetries && !mustSpareMappings && !_later.IsEmpty && _later.TryTake(out start, out end); i++)
        {
            if (!kernel.TryUnmap(start, end - start))
            {
                _later.Add(start, end);
                return;
            }
        }
    }
}
