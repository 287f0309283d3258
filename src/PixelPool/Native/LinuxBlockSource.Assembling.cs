namespace PixelPool.Native;

// Blocks are moved side by side.
/// <remarks>
/// Pages are moved to a fresh region, and the places they came from stay mapped, and taken, until all of them are there: so when a move fails the blocks are where
/// they were, without what was in those that had been moved.
/// </remarks>
internal sealed partial class LinuxBlockSource
{
    // Values of <errno.h>.
    private const int EFault = 14;
    private const int EInval = 22;

    // Places that may be lost before nothing is moved any more.
    private const int MostLostPlaces = 4;

    // Moved blocks, each of which is a mapping of its own: at most this part of the mappings that the process may have.
    private const int MappingsDivisor = 4;

    private int _mostMoved;
    private volatile bool _hasMoved;
    private volatile bool _canNotMove;
    private int _lostPlaces;

    protected override nint Assemble(Span<nint> blocks, int missing, int blockBytes, bool hugePages)
    {
        int moves = blocks.Length;
        int size = moves + missing;
        if (_canNotMove || _regions.Moved + moves > MostMoved())
        {
            return 0;
        }

        nint run = MapRegion(size, size, blockBytes, WantsHugePages(blockBytes, hugePages), moves);
        for (int i = 0; run != 0 && i < moves; i++)
        {
            nint place = run + ((nint)i * blockBytes);
            int error = kernel.Move(blocks[i], place, blockBytes);
            if (error != 0)
            {
                GiveUp(run, size, blockBytes, place, error);
                (blocks[i], blocks[moves - 1]) = (blocks[moves - 1], blocks[i]);

                // The block lies in two mappings, so it cannot be moved next time either (before Linux 6.17). All else may have been bad luck.
                return error == EFault ? MoveRefused : 0;
            }

            _hasMoved = true;
        }

        if (run != 0)
        {
            FreeAll(blocks, blockBytes, areEmpty: true);
            for (int i = 0; i < moves; i++)
            {
                blocks[i] = run + ((nint)i * blockBytes);
            }
        }

        return run;
    }

    // Unmaps the run, of which a place could not be filled. The kernel unmaps such a place before it finds out most of what can go wrong, so it may be ours or
    // nobody's, or even somebody else's by now.
    private void GiveUp(nint run, int count, int blockBytes, nint place, int error)
    {
        BlockRegion region = _regions.Free(run, count)!;
        nint start = region.Start - _page;
        nint end = region.Start + region.Bytes + _page;
        bool isKept = error == EInval && !_hasMoved;
        if (isKept || kernel.TryMapHole(place, blockBytes))
        {
            // Linux before 5.7 does not know the flag, which is the first thing it looks at: the place is still ours then.
            _canNotMove |= isKept;
            Unmap(start, end - start);
            return;
        }

        // The place is left alone. Its addresses may be lost.
        _canNotMove |= Interlocked.Increment(ref _lostPlaces) >= MostLostPlaces;
        Unmap(start, place - start);
        Unmap(place + blockBytes, end - place - blockBytes);
    }

    private int MostMoved() => _mostMoved != 0 ? _mostMoved : _mostMoved = Math.Max(1, kernel.ReadMaxMappings() / MappingsDivisor);
}
