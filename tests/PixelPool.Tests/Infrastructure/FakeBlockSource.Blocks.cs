namespace PixelPool.Tests.Infrastructure;

// Blocks: where memory is divisible they go back one by one, and can be moved.
internal sealed partial class FakeBlockSource
{
    // Of memory that is divisible: what goes back whole. The memory itself only knows pages.
    private readonly Dictionary<nint, (long Bytes, bool IsBlock)> _wholes = [];

    protected override nint AllocateRun(int count, int more, int blockBytes, bool hugePages)
    {
        long bytes = (long)count * blockBytes;
        OnAllocate?.Invoke(bytes);
        lock (_lock)
        {
            nint run = Take(bytes, bytes, hugePages);
            Remember(run, count, blockBytes, isBlock: true);
            return run;
        }
    }

    public override void ReleaseRun(nint run, int count, int blockBytes)
    {
        long bytes = (long)count * blockBytes;
        OnFree?.Invoke(bytes);
        lock (_lock)
        {
            _frees += TryForget(run, count, blockBytes, isBlock: true) && _memory.Give(run, bytes) ? 1 : 0;
        }
    }

    // As the kernel does it: a place for the whole, into which the blocks are moved one after the other. Where they were stays theirs until all are moved. A place
    // without memory costs nothing.
    protected override nint Assemble(Span<nint> blocks, int missing, int blockBytes, bool hugePages)
    {
        if (MovesNothing)
        {
            return 0;
        }

        OnAllocate?.Invoke((long)missing * blockBytes);
        lock (_lock)
        {
            var pages = (FakePages)_memory;
            int count = blocks.Length + missing;
            nint run = Take((long)count * blockBytes, (long)missing * blockBytes, hugePages);
            for (int i = 0; i < blocks.Length && run != 0; i++)
            {
                if (++_moves == _failingMove || !IsBlock(blocks[i], blockBytes) || !pages.Move(blocks[i], run + ((nint)i * blockBytes), blockBytes))
                {
                    pages.Give(run, (long)count * blockBytes);
                    return 0;
                }
            }

            if (run != 0)
            {
                Remember(run, count, blockBytes, isBlock: true);
                MoveOut(pages, blocks, run, blockBytes);
            }

            return run;
        }
    }

    private void MoveOut(FakePages pages, Span<nint> blocks, nint run, int blockBytes)
    {
        for (int i = 0; i < blocks.Length; i++)
        {
            _ = TryForget(blocks[i], 1, blockBytes, isBlock: true) && pages.Give(blocks[i], blockBytes);
            blocks[i] = run + ((nint)i * blockBytes);
        }
    }

    private void Remember(nint address, int count, long bytes, bool isBlock)
    {
        for (int i = 0; i < count && divisible && address != 0; i++)
        {
            _wholes.Add(address + (nint)(i * bytes), (bytes, isBlock));
        }
    }

    private bool TryForget(nint address, int count, long bytes, bool isBlock)
    {
        for (int i = 0; i < count && divisible; i++)
        {
            nint whole = address + (nint)(i * bytes);
            if (!_wholes.TryGetValue(whole, out (long, bool) known) || known != (bytes, isBlock))
            {
                _memory.Misuse.Add($"{bytes} bytes at 0x{whole:x} were freed, not all of which are handed out, or not so.");
                return false;
            }
        }

        for (int i = 0; i < count && divisible; i++)
        {
            _wholes.Remove(address + (nint)(i * bytes));
        }

        return true;
    }

    private bool IsBlock(nint address, int blockBytes)
    {
        if (_wholes.TryGetValue(address, out (long, bool) known) && known == (blockBytes, true))
        {
            return true;
        }

        _memory.Misuse.Add($"A block at 0x{address:x} was moved that is not handed out.");
        return false;
    }
}
