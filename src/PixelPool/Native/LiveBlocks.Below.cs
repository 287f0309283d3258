namespace PixelPool.Native;

// Blocks that are mapped directly below others.
internal sealed partial class LiveBlocks
{
    /// <summary>Claims the page before a block, in which blocks below it are to end, until <see cref="TryAddBelow"/> or <see cref="EndClaim"/>.</summary>
    /// <returns>False when that block does not live, or somebody else has the claim.</returns>
    public bool TryClaimBelow(nint block, int count, int blockBytes)
    {
        using (_gate.Hold())
        {
            if (!_blocks.TryGetValue(block, out Block above) || above != new Block(blockBytes, BlockMarks.None))
            {
                return false;
            }

            for (int i = 1; i <= count; i++)
            {
                if (_blocks.ContainsKey(block - ((nint)i * blockBytes)))
                {
                    return false;
                }
            }

            _blocks[block] = above with { Marks = BlockMarks.Claimed };
            return true;
        }
    }

    /// <summary>Adds blocks below the one whose margin was claimed; all but that page, which is their last one, is mapped now. All or none.</summary>
    /// <returns>False when there is no memory for the entries: the claim goes on.</returns>
    public bool TryAddBelow(nint block, int count, int blockBytes)
    {
        using (_gate.Hold())
        {
            bool added = TryAddAll(block - ((nint)count * blockBytes), count, blockBytes, moved: 0);
            if (added)
            {
                _ = TryEndClaim(block, blockBytes);
            }

            return added;
        }
    }

    /// <summary>Ends a claim of which nothing came.</summary>
    /// <returns>The pages that the block left, if it went meanwhile: they are the caller's to unmap; none where the start is not below the end.</returns>
    public (nint Start, nint End) EndClaim(nint block, int blockBytes)
    {
        using (_gate.Hold())
        {
            return TryEndClaim(block, blockBytes) ? (block, block) : (block - pageBytes, block + pageBytes);
        }
    }

    // While its first page is left to the claim, no other block can begin where the one was that went.
    private bool TryEndClaim(nint block, int blockBytes)
    {
        if (!IsLive(block, blockBytes))
        {
            return false;
        }

        Block above = _blocks[block];
        _blocks[block] = above with { Marks = above.Marks & ~BlockMarks.Claimed };
        return true;
    }
}
