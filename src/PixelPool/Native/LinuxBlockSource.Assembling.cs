namespace PixelPool.Native;

// Blocks are moved side by side.
/// <remarks>
/// Pages are moved to a fresh mapping, and the places they came from stay mapped until all of them are there: so neighbours never lose their margin, and
/// when a move fails the blocks are where they were, without what was in those that had been moved.
/// </remarks>
internal sealed partial class LinuxBlockSource
{
    // Values of <errno.h>.
    private const int EFault = 14;
    private const int EInval = 22;

    // Places that may be lost before nothing is moved any more.
    private const int MostLostPlaces = 4;

    private volatile bool _hasMoved;
    private volatile bool _canNotMove;
    private int _lostPlaces;

    protected override nint Assemble(Span<nint> blocks, int missing, int blockBytes, bool hugePages)
    {
        int moves = blocks.Length;
        if (_canNotMove || !_live.TryPlanMoves(moves, _mostMappings))
        {
            return 0;
        }

        nint run = MapBlocks(moves + missing, blockBytes, hugePages && _probe.Pays, moves);
        if (run == 0)
        {
            _live.CancelMoves(moves);
            return 0;
        }

        for (int i = 0; i < moves; i++)
        {
            nint place = run + ((nint)i * blockBytes);
            int error = kernel.Move(blocks[i], place, blockBytes);
            if (error != 0)
            {
                GiveUp(run, moves + missing, blockBytes, place, error);
                (blocks[i], blocks[moves - 1]) = (blocks[moves - 1], blocks[i]);

                // The block lies in two mappings, so it cannot be moved next time either (before Linux 6.17). All else may have been bad luck.
                return error == EFault ? MoveRefused : 0;
            }

            _hasMoved = true;
        }

        LeavePlaces(blocks, run, blockBytes);
        return run;
    }

    // All blocks are in the run: where they were is nobody's.
    private void LeavePlaces(Span<nint> blocks, nint run, int blockBytes)
    {
        for (int i = 0; i < blocks.Length;)
        {
            int count = CountAdjacent(blocks.Slice(i), blockBytes);
            FreeBlocks(blocks[i], count, blockBytes, areEmpty: true);
            for (int last = i + count; i < last; i++)
            {
                blocks[i] = run + ((nint)i * blockBytes);
            }
        }
    }

    // Unmaps the run, of which a place could not be filled. The kernel unmaps such a place before it finds out most of what can go wrong, so it may be ours or
    // nobody's, or even somebody else's by now.
    private void GiveUp(nint run, int count, int blockBytes, nint place, int error)
    {
        (nint start, nint end) = _live.Remove(run, count, blockBytes);
        if (error == EInval && !_hasMoved)
        {
            // Linux before 5.7 does not know the flag, which is the first thing it looks at: the place is still ours.
            _canNotMove = true;
            Unmap(start, end);
        }
        else if (kernel.TryMapHole(place, blockBytes))
        {
            Unmap(start, end);
        }
        else
        {
            // It is left alone. Its addresses may be lost.
            _canNotMove |= Interlocked.Increment(ref _lostPlaces) >= MostLostPlaces;
            Unmap(start, place);
            Unmap(place + blockBytes, end);
        }
    }
}
