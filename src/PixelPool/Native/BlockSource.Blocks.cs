namespace PixelPool.Native;

// Blocks of one size, alone or side by side.
internal abstract unsafe partial class BlockSource
{
    /// <summary>True when blocks that lie side by side may go back one by one, and blocks may be moved side by side.</summary>
    public virtual bool IsDivisible => false;

    /// <summary>Takes blocks from the system. All or nothing.</summary>
    /// <returns>False when the system has not so many.</returns>
    public bool TryAllocateBlocks(Span<nint> blocks, int blockBytes, bool hugePages)
    {
        for (int i = 0; i < blocks.Length; i++)
        {
            blocks[i] = AllocateRun(1, more: blocks.Length - i - 1, blockBytes, hugePages);
            if (blocks[i] == 0)
            {
                ReleaseBlocks(blocks.Slice(0, i), blockBytes);
                return false;
            }
        }

        return true;
    }

    /// <summary>
    /// Makes one run of blocks that nobody uses, followed by fresh ones. Where they do not lie side by side already, their pages are moved: nothing is copied. Where memory is not
    /// <see cref="IsDivisible"/>, all have to be fresh.
    /// </summary>
    /// <param name="blocks">
    /// As many as the run is to have: first those that there are, in any order. The first one gets the address of the run. When it failed, they are where they were, but what was in them may be gone: it
    /// reads as zero.
    /// </param>
    /// <param name="reused">How many there are; 0: all of the run is fresh.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="hugePages">Asks for huge pages for the fresh ones.</param>
    /// <returns>False when the system has no memory, or moves nothing: no memory was taken or given back.</returns>
    public bool TryMakeRun(Span<nint> blocks, int reused, int blockBytes, bool hugePages)
    {
        Span<nint> moved = blocks.Slice(0, reused);
        nint run = reused == 0 ? AllocateRun(blocks.Length, more: 0, blockBytes, hugePages)
            : reused == blocks.Length && LieSideBySide(moved, blockBytes, out nint first) ? first
            : Assemble(moved, blocks.Length - reused, blockBytes, hugePages);
        if (run != 0)
        {
            blocks[0] = run;
        }

        return run != 0;
    }

    /// <summary>Gives blocks back to the system.</summary>
    public void ReleaseBlocks(ReadOnlySpan<nint> blocks, int blockBytes)
    {
        foreach (nint block in blocks)
        {
            ReleaseRun(block, 1, blockBytes);
        }
    }

    /// <summary>Gives blocks that lie side by side back to the system: any of them where memory is divisible, otherwise a run as it was got.</summary>
    public virtual void ReleaseRun(nint run, int count, int blockBytes) => Release(run, (long)count * blockBytes);

    /// <param name="count">How many blocks.</param>
    /// <param name="more">How many more are about to be asked for, which may lie elsewhere.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="hugePages">Asks for huge pages.</param>
    /// <returns>The address of the first of the blocks, or 0 when the system has no memory.</returns>
    protected virtual nint AllocateRun(int count, int more, int blockBytes, bool hugePages) =>
        TryAllocate((long)count * blockBytes, hugePages, out nint run) ? run : 0;

    /// <param name="blocks">In any order.</param>
    /// <param name="missing">How many fresh blocks follow.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="hugePages">Asks for huge pages for the fresh ones.</param>
    /// <returns>The address of the run, or 0 when the system has no memory, or does not move a block.</returns>
    protected virtual nint Assemble(Span<nint> blocks, int missing, int blockBytes, bool hugePages) => 0;

    private static bool LieSideBySide(ReadOnlySpan<nint> blocks, int blockBytes, out nint first)
    {
        first = blocks[0];
        nint last = first;
        foreach (nint block in blocks)
        {
            first = block < first ? block : first;
            last = block > last ? block : last;
        }

        return last - first == (nint)(blocks.Length - 1) * blockBytes;
    }
}
