namespace PixelPool.Native;

// Blocks of one size, alone or side by side.
internal abstract unsafe partial class BlockSource
{
    /// <summary>True when blocks that lie side by side may go back one by one, and blocks may be moved side by side.</summary>
    public virtual bool IsDivisible => false;

    /// <summary>Takes blocks from the system: side by side where they may go back one by one. All or nothing.</summary>
    /// <returns>False when the system has not so many.</returns>
    public bool TryAllocateBlocks(Span<nint> blocks, int blockBytes, bool hugePages)
    {
        if (blocks.Length > 1 && IsDivisible && TryAllocateRun(blocks.Length, blockBytes, hugePages, out nint run))
        {
            for (int i = 0; i < blocks.Length; i++)
            {
                blocks[i] = run + ((nint)i * blockBytes);
            }

            return true;
        }

        for (int i = 0; i < blocks.Length; i++)
        {
            if (!TryAllocateRun(1, blockBytes, hugePages, out blocks[i]))
            {
                ReleaseBlocks(blocks.Slice(0, i), blockBytes);
                return false;
            }
        }

        return true;
    }

    /// <summary>Takes blocks that lie side by side from the system.</summary>
    /// <returns>False when the system has none.</returns>
    public bool TryAllocateRun(int count, int blockBytes, bool hugePages, out nint run)
    {
        long bytes = (long)count * blockBytes;
        run = bytes > MaxBytes ? 0 : AllocateBlocks(count, blockBytes, hugePages);
        return Count(run, bytes);
    }

    /// <summary>Gives blocks back to the system.</summary>
    /// <param name="blocks">The blocks; in any order afterwards.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    public void ReleaseBlocks(Span<nint> blocks, int blockBytes)
    {
        if (IsDivisible)
        {
            blocks.Sort();
        }

        for (int i = 0; i < blocks.Length;)
        {
            // Those that lie side by side go in one call.
            int count = IsDivisible ? CountAdjacent(blocks.Slice(i), blockBytes) : 1;
            ReleaseRun(blocks[i], count, blockBytes);
            i += count;
        }
    }

    /// <summary>Gives blocks that lie side by side back to the system: any of them where memory is divisible, otherwise a run as it was got.</summary>
    public void ReleaseRun(nint run, int count, int blockBytes)
    {
        FreeBlocks(run, count, blockBytes);
        CollectorPressure.Remove((long)count * blockBytes);
    }

    /// <summary>
    /// Makes one run of blocks that nobody uses, followed by fresh ones, by moving their pages: nothing is copied. Only for sources that are
    /// <see cref="IsDivisible"/>.
    /// </summary>
    /// <param name="blocks">The blocks; afterwards, in any order, where they are now: in the run, or, when it failed, where they were, but what was in them may be gone: it reads as zero.</param>
    /// <param name="missing">How many fresh blocks follow.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="hugePages">Asks for huge pages for the fresh ones.</param>
    /// <param name="run">The run.</param>
    /// <param name="refused">True when the last one of <paramref name="blocks"/> cannot be moved, and better is not kept.</param>
    /// <returns>False when the system refuses: no memory was taken or given back.</returns>
    public bool TryAssemble(Span<nint> blocks, int missing, int blockBytes, bool hugePages, out nint run, out bool refused)
    {
        blocks.Sort();
        bool isRunAlready = missing == 0 && CountAdjacent(blocks, blockBytes) == blocks.Length;
        run = isRunAlready ? blocks[0] : Assemble(blocks, missing, blockBytes, hugePages);
        refused = run == MoveRefused;
        return !refused && Count(run, (long)missing * blockBytes);
    }

    /// <returns>The address of the first of the blocks, or 0 when the system has no memory.</returns>
    protected virtual nint AllocateBlocks(int count, int blockBytes, bool hugePages) => Allocate((nuint)count * (nuint)blockBytes, hugePages);

    protected virtual void FreeBlocks(nint run, int count, int blockBytes) => Free(run, (nuint)count * (nuint)blockBytes);

    /// <summary>What <see cref="Assemble"/> returns when a block cannot be moved. It is the last one of the blocks then.</summary>
    protected const nint MoveRefused = -1;

    /// <param name="blocks">In ascending order.</param>
    /// <param name="missing">How many fresh blocks follow.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="hugePages">Asks for huge pages for the fresh ones.</param>
    /// <returns>The address of the run, 0 when the system has no memory or moves nothing, or <see cref="MoveRefused"/>.</returns>
    protected virtual nint Assemble(Span<nint> blocks, int missing, int blockBytes, bool hugePages) => 0;

    /// <summary>How many of the first blocks lie side by side.</summary>
    protected static int CountAdjacent(ReadOnlySpan<nint> blocks, int blockBytes)
    {
        int count = 1;
        while (count < blocks.Length && blocks[count] - blocks[count - 1] == blockBytes)
        {
            count++;
        }

        return count;
    }
}
