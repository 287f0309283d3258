namespace PixelPool.Native;

// Blocks are moved side by side.
/// <remarks>
/// Pages are moved to a fresh region, and the places they came from stay mapped, and taken, until all of them are there: so when a move fails the blocks are where
/// they were, without what was in those that had been moved.
/// </remarks>
internal sealed partial class LinuxBlockSource
{
    // After so many refused moves, for whatever reason, nothing is moved any more.
    private const int MostRefusedMoves = 4;

    // Moved blocks, each of which is a mapping of its own: at most this part of the mappings that a process may have as a rule.
    private const int MappingsDivisor = 4;

    private int _refusedMoves;

    protected override nint Assemble(Span<nint> blocks, int missing, int blockBytes, bool hugePages)
    {
        int moves = blocks.Length;
        int size = moves + missing;
        if (Volatile.Read(ref _refusedMoves) >= MostRefusedMoves || _regions.Moved + moves > kernel.MaxMappings / MappingsDivisor)
        {
            return 0;
        }

        nint run = MapRegion(size, size, blockBytes, WantsHugePages(blockBytes, hugePages), moves);
        if (run == 0)
        {
            return 0;
        }

        for (int i = 0; i < moves; i++)
        {
            nint place = run + ((nint)i * blockBytes);
            if (!kernel.TryMove(blocks[i], place, blockBytes))
            {
                // The kernel unmaps the place before it finds out most of what can go wrong. So it may be ours or nobody's, or even somebody else's by now: its addresses may be lost.
                Interlocked.Increment(ref _refusedMoves);
                BlockRegion region = _regions.Free(run, size)!;
                Unmap(region.Start - _page, place - region.Start + _page);
                Unmap(place + blockBytes, region.Start + region.Bytes + _page - place - blockBytes);
                return 0;
            }
        }

        for (int i = 0; i < moves; i++)
        {
            FreePlaces(blocks[i], 1);
            blocks[i] = run + ((nint)i * blockBytes);
        }

        return run;
    }
}
