using PixelPool.Native;

namespace PixelPool.Tests.Infrastructure;

/// <summary>Runs of a source: fresh ones, and ones of blocks that there are.</summary>
internal static class BlockSourceRuns
{
    /// <summary>Takes blocks that lie side by side from the system.</summary>
    public static bool TryAllocateRun(this BlockSource source, int count, int blockBytes, bool hugePages, out nint run)
    {
        nint[] blocks = new nint[count];
        bool made = source.TryMakeRun(blocks, reused: 0, blockBytes, hugePages);
        run = blocks[0];
        return made;
    }

    /// <summary>Makes a run of blocks, which are afterwards where they were moved to, and of fresh ones behind them.</summary>
    public static bool TryAssemble(this BlockSource source, Span<nint> blocks, int missing, int blockBytes, bool hugePages, out nint run)
    {
        nint[] all = [.. blocks, .. new nint[missing]];
        bool made = source.TryMakeRun(all, blocks.Length, blockBytes, hugePages);
        all.AsSpan(0, blocks.Length).CopyTo(blocks);
        run = made ? all[0] : 0;
        return made;
    }
}
